import type {
  Session,
  ActiveSession,
  Actor,
  Generation,
  KeyDigest,
  PairId,
  SessionId,
} from '../../domain/identity/session.js'
import type { Value, Row } from './statements.js'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { PasswordHash } from '../../domain/identity/password.js'
import type { Instant } from '../../domain/instant.js'
import { parseRoles } from './records.js'

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
type JsonDialect = {
  readonly jsonArray: 'json_array' | 'json_build_array'
  readonly accounts: string
  /** Returns an SQL expression for the roles of an account as JSON text. */
  readonly rolesOf: (id: string) => string
}

/**
 * Returns expressions for a session and its account as one JSON value, because reading and caching one string costs half as much as reading
 * the columns. `withActor` also contains the actor's columns and roles, which are empty if there is no actor.
 */
export function activeAsJson({ jsonArray, accounts, rolesOf }: JsonDialect) {
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

function proofValues({ factor, proved }: Session): readonly Value[] {
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

export const ACCOUNT_ACTIVE = `EXISTS (
      SELECT 1 FROM {accounts} AS a
      WHERE a.id = s.account_id AND a.disabled_at IS NULL AND a.epoch = s.epoch
    )`

/** SQL condition that the actor is still active; it costs little for a session without an actor. */
export const ACTOR_ACTIVE = `(s.actor_id IS NULL OR EXISTS (
      SELECT 1 FROM {accounts} AS b
      WHERE b.id = s.actor_id AND b.disabled_at IS NULL AND b.epoch = s.actor_epoch
    ))`

/** The parts of the queries that differ between databases; SQLite reads the tables of a CROSS JOIN in the given order. */
type Dialect = { readonly join: 'JOIN' | 'CROSS JOIN'; readonly least: 'least' | 'min' }

/** Selects the sessions that match the condition and have not been ended by a change to their account or their actor. */
export function openWhere(
  join: Dialect['join'],
  columns: string,
  condition: string,
  sessions = '{sessions}',
): string {
  return `
    SELECT ${columns}
    FROM ${sessions} AS s ${join} {accounts} AS a ON a.id = s.account_id
    WHERE ${condition} AND a.disabled_at IS NULL AND a.epoch = s.epoch AND ${ACTOR_ACTIVE}`
}

/** Selects a page of the active sessions of an account; a disabled account has no active sessions. */
export function openPage({ join, least }: Dialect, columns: string): string {
  return `
  SELECT ${columns}
  FROM {accounts} AS a ${join} {sessions} AS s ON s.account_id = a.id
  WHERE a.id = ? AND a.disabled_at IS NULL AND a.epoch = s.epoch
    AND (s.created_at, s.id) > (?, ?) AND ${least}(s.ends_at, s.idle_ends_at) > ?
    AND ${ACTOR_ACTIVE}
  ORDER BY s.created_at, s.id LIMIT ?`
}

export const BEFORE_ALL = { createdAt: Number.MIN_SAFE_INTEGER, id: '' }

/**
 * Changes nothing if the session is no longer active or its generation differs from the expected generation. The new digest replaces the
 * older of the two stored digests. `more` is SQL with further assignments.
 */
export function replaceGeneration(digest: 'odd_digest' | 'even_digest', more = ''): string {
  return `
    UPDATE {sessions} AS s SET
      number = ?, pair_id = ?, kid = ?, issued_at = ?, idle_ends_at = ?, network = ?, ${digest} = ?,
      factor = ?, proved_at = ?, factor_at = ?, previous_pair_id = pair_id, previous_until = ?${more}
    WHERE id = ? AND pair_id = ? AND ${ACCOUNT_ACTIVE} AND ${ACTOR_ACTIVE}`
}

export function generationValues(session: Session): readonly Value[] {
  const { current, previous } = session
  const { number, pairId, kid, issuedAt, idleEndsAt, network = null, keyDigest } = current
  const own = [number, pairId, kid, issuedAt, idleEndsAt, network, keyDigest]
  return [...own, ...proofValues(session), previous?.until ?? null]
}
