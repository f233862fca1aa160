import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { PasswordHash } from '../../domain/identity/password.js'
import type {
  Actor,
  Generation,
  KeyDigest,
  ActiveSession,
  OpenedBy,
  PairId,
  Session,
  SessionId,
} from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { emailsOf, parseRoles, rolesOf } from './rows.js'

/** Digests lie by the parity of their generation's number, so the previous one is where the current one is not. */
const KEY_DIGEST = 'CASE s.number % 2 WHEN 1 THEN s.odd_digest ELSE s.even_digest END'
const PREVIOUS_DIGEST = 'CASE s.number % 2 WHEN 1 THEN s.even_digest ELSE s.odd_digest END'

const OWN_COLUMNS = `
  s.id, s.account_id, s.epoch, s.created_at, s.ends_at,
  s.number, s.pair_id, s.kid, s.issued_at, ${KEY_DIGEST}, s.idle_ends_at, s.network,
  s.previous_pair_id, ${PREVIOUS_DIGEST}, s.previous_until, s.factor, s.opened_client, s.opened_network`

const ACTOR_COLUMNS = 's.actor_id, s.actor_email, s.actor_epoch, s.actor_ends_at'

export const SESSION_COLUMNS = `${OWN_COLUMNS}, ${ACTOR_COLUMNS}`

type OwnRow = readonly [
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
  network: string | null,
  previousPairId: PairId | null,
  previousDigest: KeyDigest | null,
  previousUntil: Instant | null,
  factor: 1 | null,
  openedClient: string | null,
  openedNetwork: string | null,
]

type ActorRow = readonly [accountId: AccountId, email: Email, epoch: Epoch, endsAt: Instant]
type NoActorRow = readonly [accountId: null, email: null, epoch: null, endsAt: null]

export type SessionRow = readonly [...own: OwnRow, ...actor: ActorRow | NoActorRow]

/**
 * A session with what it does not tell of its account, as one value: a string is read, and
 * cached, at half the cost of its columns. The roles stay text in it, JSON in JSON. Nearly no
 * session has an actor, and none pays for the columns and the roles of one.
 */
export const ACTIVE = `CASE WHEN s.actor_id IS NULL THEN ${jsonOf('')} ELSE ${jsonOf(
  `, ${ACTOR_COLUMNS}, ${rolesColumn('s.actor_id')}`,
)} END`

function jsonOf(actor: string): string {
  return `json_array(${OWN_COLUMNS},
    a.email, a.password_hash, a.created_at, a.second_factor, a.entered_email, a.shared_email,
    ${rolesColumn('s.account_id')}${actor})`
}

function rolesColumn(id: string): string {
  return `${rolesOf('memberships', 'account_id', id)} || ''`
}

export type ActiveRow = readonly [
  ...own: OwnRow,
  email: Email,
  passwordHash: PasswordHash | null,
  accountCreatedAt: Instant,
  secondFactor: 1 | null,
  enteredEmail: Email | null,
  sharedEmail: Email | null,
  roles: string,
  ...actor: readonly [...ActorRow, actorRoles: string] | readonly [],
]

/** What a row is written in; what it is read as has the digests by what they are, and not by the parity of a number. */
export const STORED_COLUMNS = [
  ...['id', 'account_id', 'epoch', 'created_at', 'ends_at'],
  ...['number', 'pair_id', 'kid', 'issued_at', 'idle_ends_at', 'network'],
  ...['odd_digest', 'even_digest', 'previous_pair_id', 'previous_until', 'purge_at'],
  ...['opened_client', 'opened_network'],
  ...['actor_id', 'actor_email', 'actor_epoch', 'actor_ends_at'],
  'factor',
]

/** In the order of `STORED_COLUMNS`. */
export function sessionValues(session: Session) {
  const { id, accountId, epoch, createdAt, endsAt, current, previous, openedBy, actor, factor } = session
  const { number, pairId, kid, issuedAt, idleEndsAt, network, keyDigest } = current
  const digests = [keyDigest, previous?.keyDigest]
  const values = [
    ...[id, accountId, epoch, createdAt, endsAt],
    ...[number, pairId, kid, issuedAt, idleEndsAt, network],
    ...(isOdd(current) ? digests : digests.reverse()),
    ...[previous?.pairId, previous?.until, endOf(session)],
    ...[openedBy?.client, openedBy?.network],
    ...[actor?.accountId, actor?.email, actor?.epoch, actor?.endsAt],
    factor && 1,
  ]
  return values.map((value) => value ?? null)
}

/** Which of the two digests of a row is this generation's. */
export function isOdd({ number }: Generation): boolean {
  return number % 2 === 1
}

/** The earlier of a session's two ends. */
export function endOf({ endsAt, current }: Session): Instant {
  return Math.min(endsAt, current.idleEndsAt)
}

export function parseRow(json: string | undefined): ActiveRow | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as ActiveRow)
}

export function active(row: ActiveRow | undefined): ActiveSession | undefined {
  if (!row) return undefined
  const own = ownSessionOf(row)
  const passwordHash = row[19]
  const account = {
    id: own.accountId,
    ...emailsOf(row[18], row[22], row[23]),
    ...(passwordHash !== null && { passwordHash }),
    epoch: own.epoch,
    createdAt: row[20],
    ...(row[21] !== null && ({ secondFactor: true } as const)),
    roles: parseRoles(row[24]),
  }
  if (row.length === 25) return { session: own, account }
  const actor = actorOf(row.slice(25) as unknown as ActorRow)
  return { session: { ...own, actor }, account, actorRoles: parseRoles(row[29]) }
}

export function sessionOf(row: SessionRow): Session {
  const own = ownSessionOf(row)
  if (row[18] === null) return own
  return { ...own, actor: actorOf(row.slice(18) as unknown as ActorRow) }
}

function openedByOf(client: string | null, network: string | null): OpenedBy | undefined {
  if (client === null && network === null) return undefined
  return { ...(client !== null && { client }), ...(network !== null && { network }) }
}

function actorOf([accountId, email, epoch, endsAt]: ActorRow): Actor {
  return { accountId, email, epoch, endsAt }
}

function ownSessionOf(row: SessionRow | ActiveRow): Session {
  const [id, accountId, epoch, createdAt, endsAt, number, pairId, kid, issuedAt, keyDigest, idleEndsAt] = row
  const network = row[11]
  const current = {
    ...{ number, pairId, kid, issuedAt, keyDigest, idleEndsAt },
    ...(network !== null && { network }),
  }
  const factor = row[15] !== null && ({ factor: true } as const)
  const openedBy = openedByOf(row[16], row[17])
  const session = {
    ...{ id, accountId, epoch, createdAt, endsAt, current },
    ...factor,
    ...(openedBy && { openedBy }),
  }
  const [previousPairId, previousDigest, until] = [row[12], row[13], row[14]]
  if (previousPairId === null || previousDigest === null || until === null) return session
  return { ...session, previous: { pairId: previousPairId, keyDigest: previousDigest, until } }
}
