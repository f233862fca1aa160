import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { PasswordHash } from '../../domain/identity/password.js'
import type {
  ActiveSession,
  Actor,
  Generation,
  KeyDigest,
  PairId,
  Session,
  SessionId,
} from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { parseRoles } from './rows.js'
import type { Row, Value } from './statements.js'

/** A generation with an odd number stores its digest in `odd_digest` and the previous digest in `even_digest`. */
const KEY_DIGEST = 'CASE s.number % 2 WHEN 1 THEN s.odd_digest ELSE s.even_digest END'
const PREVIOUS_DIGEST = 'CASE s.number % 2 WHEN 1 THEN s.even_digest ELSE s.odd_digest END'

const OWN_COLUMNS = `
  s.id, s.account_id, s.epoch, s.created_at, s.ends_at,
  s.number, s.pair_id, s.kid, s.issued_at, ${KEY_DIGEST}, s.idle_ends_at, s.network,
  s.previous_pair_id, ${PREVIOUS_DIGEST}, s.previous_until, s.factor, s.opened_client, s.opened_network,
  s.proved_at, s.factor_at`

const ACTOR_COLUMNS = 's.actor_id, s.actor_email, s.actor_epoch, s.actor_ends_at'

export const SESSION_COLUMNS = `${OWN_COLUMNS}, ${ACTOR_COLUMNS}`

type OwnRow = readonly [
  ...session: [id: SessionId, accountId: AccountId, epoch: Epoch, createdAt: Instant, endsAt: Instant],
  ...current: [number: number, pairId: PairId, kid: string, issuedAt: Instant],
  ...key: [keyDigest: KeyDigest, idleEndsAt: Instant, network: string | null],
  ...previous: [pairId: PairId | null, digest: KeyDigest | null, until: Instant | null],
  ...opened: [factor: Instant | null, client: string | null, network: string | null],
  ...proved: [at: Instant | null, factorAt: Instant | null],
]

type ActorRow = readonly [accountId: AccountId | null, email: Email, epoch: Epoch, endsAt: Instant]

/** The parts of the query for an active session that differ between databases. */
type Dialect = {
  readonly jsonArray: 'json_array' | 'json_build_array'
  readonly accounts: string
  /** Returns an SQL expression for the roles of an account as JSON text. */
  readonly rolesOf: (id: string) => string
}

/**
 * Returns expressions for a session and its account as one JSON value, because reading and caching one string costs half as much as reading
 * the columns. `withActor` also contains the actor's columns and roles, which are empty if there is no actor.
 */
export function activeAsJson({ jsonArray, accounts, rolesOf }: Dialect) {
  const own = `${OWN_COLUMNS},
    a.email, a.password_hash, a.created_at, a.second_factor, a.entered_email, a.shared_email, ${rolesOf('s.account_id')}`
  const factor = `(SELECT second_factor FROM ${accounts} WHERE id = s.actor_id)`
  return {
    own: `${jsonArray}(${own})`,
    withActor: `${jsonArray}(${own}, ${ACTOR_COLUMNS}, ${rolesOf('s.actor_id')}, ${factor})`,
  }
}

type ActiveRow = readonly [
  ...own: OwnRow,
  ...account: [
    email: Email,
    passwordHash: PasswordHash | null,
    createdAt: Instant,
    secondFactor: Instant | null,
  ],
  ...account: [enteredEmail: Email | null, sharedEmail: Email | null, roles: string],
  ...actor: [...ActorRow, actorRoles: string, actorFactor: Instant | null] | [],
]

export const STORED_COLUMNS = [
  ...['id', 'account_id', 'epoch', 'created_at', 'ends_at'],
  ...['number', 'pair_id', 'kid', 'issued_at', 'idle_ends_at', 'network'],
  ...['odd_digest', 'even_digest', 'previous_pair_id', 'previous_until', 'purge_at'],
  ...['opened_client', 'opened_network'],
  ...['actor_id', 'actor_email', 'actor_epoch', 'actor_ends_at'],
  ...['factor', 'proved_at', 'factor_at'],
]

export function sessionValues(session: Session) {
  const { id, accountId, epoch, createdAt, endsAt, current, previous, openedBy, actor } = session
  const { number, pairId, kid, issuedAt, idleEndsAt, network, keyDigest } = current
  const digests = [keyDigest, previous?.keyDigest]
  const values = [
    ...[id, accountId, epoch, createdAt, endsAt],
    ...[number, pairId, kid, issuedAt, idleEndsAt, network],
    ...(isOdd(current) ? digests : digests.reverse()),
    ...[previous?.pairId, previous?.until, endOf(session)],
    ...[openedBy?.client, openedBy?.network],
    ...[actor?.accountId, actor?.email, actor?.epoch, actor?.endsAt],
    ...proofValues(session),
  ]
  return values.map((value) => value ?? null)
}

/** Returns the values of the columns `factor`, `proved_at` and `factor_at`. */
export function proofValues({ factor, proved }: Session): readonly Value[] {
  return [factor ?? null, proved?.at ?? null, proved?.factorAt ?? null]
}

export function isOdd({ number }: Generation): boolean {
  return number % 2 === 1
}

export function endOf({ endsAt, current }: Session): Instant {
  return Math.min(endsAt, current.idleEndsAt)
}

export function activeOf(row: readonly [json: string] | undefined): ActiveSession | undefined {
  if (!row) return undefined
  const active = JSON.parse(row[0]) as ActiveRow
  const session = ownSessionOf(active)
  const account = accountOf(active)
  const actor = actorOf(active, 27)
  if (!actor) return { session, account }
  const [actorRoles, actorFactor] = [parseRoles(active[31]), active[32] ?? undefined]
  return {
    session: { ...session, actor },
    account,
    actorRoles,
    ...(actorFactor !== undefined && { actorFactor }),
  }
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** Assigns properties instead of spreading objects, which would take twice the time and memory; a cache contains thousands of accounts. */
function accountOf(active: ActiveRow): Account {
  const [, id, epoch] = active
  const [email, passwordHash, createdAt, secondFactor] = [active[20], active[21], active[22], active[23]]
  const [enteredEmail, sharedEmail] = [active[24], active[25]]
  const account: Writable<Account> = { id, email, epoch, createdAt, roles: parseRoles(active[26]) }
  if (passwordHash !== null) account.passwordHash = passwordHash
  if (enteredEmail !== null) account.enteredEmail = enteredEmail
  if (sharedEmail !== null) account.sharedEmail = sharedEmail
  if (secondFactor !== null) account.secondFactor = secondFactor
  return account
}

/** Converts a row that begins with `SESSION_COLUMNS` to a session. */
export function sessionOf(row: Row): Session {
  const session = ownSessionOf(row as unknown as OwnRow)
  const actor = actorOf(row, 20)
  return actor ? { ...session, actor } : session
}

function actorOf(row: readonly unknown[], first: 20 | 27): Actor | undefined {
  const accountId = row[first] ?? null
  if (accountId === null) return undefined
  const [, email, epoch, endsAt] = row.slice(first) as unknown as ActorRow
  return { accountId: accountId as AccountId, email, epoch, endsAt }
}

function ownSessionOf(row: OwnRow | ActiveRow): Session {
  const [id, accountId, epoch, createdAt, endsAt, number, pairId, kid, issuedAt, keyDigest, idleEndsAt] = row
  const [network, previousPairId, previousDigest, until, factor] = [
    row[11],
    row[12],
    row[13],
    row[14],
    row[15],
  ]
  const current: Writable<Generation> = { number, pairId, kid, issuedAt, keyDigest, idleEndsAt }
  if (network !== null) current.network = network
  const session: Writable<Session> = { id, accountId, epoch, createdAt, endsAt, current }
  if (factor !== null) session.factor = factor
  const proved = proofOf(row[18], row[19])
  if (proved) session.proved = proved
  const openedBy = openedByOf(row[16], row[17])
  if (openedBy) session.openedBy = openedBy
  if (previousPairId !== null && previousDigest !== null && until !== null)
    session.previous = { pairId: previousPairId, keyDigest: previousDigest, until }
  return session
}

function openedByOf(client: string | null, network: string | null): Session['openedBy'] {
  if (client === null) return network === null ? undefined : { network }
  return network === null ? { client } : { client, network }
}

function proofOf(at: Instant | null, factorAt: Instant | null): Session['proved'] {
  if (at === null) return undefined
  return factorAt === null ? { at } : { at, factorAt }
}
