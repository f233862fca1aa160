import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { PasswordHash } from '../../domain/identity/password.js'
import type {
  Generation,
  KeyDigest,
  LivingSession,
  PairId,
  Session,
  SessionId,
} from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { parseRoles, rolesOf } from './rows.js'

export const SESSION_COLUMNS = `
  s.id, s.account_id, s.epoch, s.created_at, s.ends_at,
  s.number, s.pair_id, s.kid, s.issued_at, s.key_digest, s.idle_ends_at,
  s.previous_pair_id, s.previous_digest, s.previous_until,
  s.actor_id, s.actor_email, s.actor_epoch, s.actor_ends_at`

export type SessionRow = readonly [
  id: SessionId,
  accountId: AccountId,
  epoch: Epoch,
  createdAt: Instant,
  endsAt: Instant,
  number: number,
  pairId: PairId,
  kid: string,
  issuedAt: Instant,
  keyDigest: KeyDigest,
  idleEndsAt: Instant,
  previousPairId: PairId | null,
  previousDigest: KeyDigest | null,
  previousUntil: Instant | null,
  actorId: AccountId | null,
  actorEmail: Email | null,
  actorEpoch: Epoch | null,
  actorEndsAt: Instant | null,
]

/**
 * A session with what it does not tell of its account, as one value: a string is read, and
 * remembered, at half the cost of its columns. The roles stay text in it, JSON in JSON.
 */
export const LIVING = `json_array(${SESSION_COLUMNS},
  a.email, a.password_hash, a.created_at,
  ${rolesOf('memberships', 'account_id', 's.account_id')} || '')`

export type LivingRow = readonly [
  ...session: SessionRow,
  email: Email,
  passwordHash: PasswordHash | null,
  accountCreatedAt: Instant,
  roles: string,
]

export function generationValues(generation: Generation) {
  const { number, pairId, kid, issuedAt, keyDigest, idleEndsAt } = generation
  return [number, pairId, kid, issuedAt, keyDigest, idleEndsAt] as const
}

/** In the order of the columns. */
export function sessionValues(session: Session) {
  const { id, accountId, epoch, createdAt, endsAt, current, previous, actor } = session
  return [
    ...[id, accountId, epoch, createdAt, endsAt],
    ...generationValues(current),
    ...[previous?.pairId ?? null, previous?.keyDigest ?? null, previous?.until ?? null],
    ...(actor ? [actor.accountId, actor.email, actor.epoch, actor.endsAt] : [null, null, null, null]),
  ]
}

export function parseRow(json: string | undefined): LivingRow | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as LivingRow)
}

export function living(row: LivingRow | undefined): LivingSession | undefined {
  if (!row) return undefined
  const session = sessionOf(row)
  const passwordHash = row[19]
  return {
    session,
    account: {
      id: session.accountId,
      email: row[18],
      ...(passwordHash !== null && { passwordHash }),
      epoch: session.epoch,
      createdAt: row[20],
      roles: parseRoles(row[21]),
    },
  }
}

export function sessionOf(row: SessionRow | LivingRow): Session {
  const [id, accountId, epoch, createdAt, endsAt, number, pairId, kid, issuedAt, keyDigest, idleEndsAt] = row
  const current = { number, pairId, kid, issuedAt, keyDigest, idleEndsAt }
  const session = { id, accountId, epoch, createdAt, endsAt, current, ...actorOf(row) }
  const [previousPairId, previousDigest, until] = [row[11], row[12], row[13]]
  if (previousPairId === null || previousDigest === null || until === null) return session
  return { ...session, previous: { pairId: previousPairId, keyDigest: previousDigest, until } }
}

function actorOf(row: SessionRow | LivingRow): Pick<Session, 'actor'> | undefined {
  const [accountId, email, epoch, endsAt] = [row[14], row[15], row[16], row[17]]
  if (accountId === null || email === null || epoch === null || endsAt === null) return undefined
  return { actor: { accountId, email, epoch, endsAt } }
}
