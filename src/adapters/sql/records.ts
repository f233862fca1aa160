import type { Role, RoleKey } from '../../domain/access/role.js'
import type { AuditRecord } from '../../domain/audit.js'
import type { Pet, Traits } from '../../domain/catalogue/pet.js'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { LoginPairs } from '../../domain/identity/rotation.js'
import type { Passkey } from '../../domain/identity/passkey.js'
import type { Proof } from '../../domain/identity/proof.js'
import type { SecondFactor } from '../../domain/identity/second-factor.js'
import type { PairId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { MailJob } from '../../domain/mail.js'
import type { Project } from '../../domain/project/project.js'
import type { RecordOf } from '../../ports/copyable-records.js'
import { frozen } from '../../domain/plain-data.js'
import type { Row, Value } from './statements.js'

/** Defines how records are stored in the rows of a table. */
export type Mapping<T> = {
  readonly columns: readonly string[]
  readonly list: string
  readonly parameters: string
  /** Converts a row whose first columns are these columns to a record. */
  readonly read: (row: Row) => T
  readonly values: (record: T) => readonly Value[]
}

/** The column of the property `askedAt` is `asked_at`; NULL represents an absent property. */
function mapping<T extends object>(...members: readonly (keyof T & string)[]): Mapping<T> {
  const columns = members.map(columnOf)
  return {
    columns,
    list: columns.join(', '),
    parameters: columns.map(() => '?').join(', '),
    read: (row) => {
      const record: Record<string, unknown> = {}
      for (let index = 0; index < members.length; index += 1) {
        const value = row[index]
        if (value !== null) record[members[index] as string] = value
      }
      return record as T
    },
    values: (record) => members.map((member) => (record[member] ?? null) as Value),
  }
}

/** Returns a mapping for records that are structured differently from their rows. */
function mapWith<T, R>(mapping: Mapping<R>, read: (row: R) => T, write: (record: T) => R): Mapping<T> {
  return {
    ...mapping,
    read: (row) => read(mapping.read(row)),
    values: (record) => mapping.values(write(record)),
  }
}

export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `source` selects the column values, which are parameters by default. */
export function upsert(
  table: string,
  columns: readonly string[],
  key: readonly string[],
  source = `VALUES (${columns.map(() => '?').join(', ')})`,
): string {
  const changes = columns.filter((one) => !key.includes(one)).map((one) => `${one} = excluded.${one}`)
  return `
    INSERT INTO ${table} (${columns.join(', ')}) ${source}
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes.join(', ')}`
}

/** Equal role lists share the same objects, because there are few distinct lists but thousands of cached rows with roles. */
const KNOWN_LISTS = 100
const knownLists = new Map<string, readonly Role[]>()

/** Returns the roles of a row as deeply frozen objects. */
export function parseRoles(json: Value | undefined): readonly Role[] {
  const text = String(json)
  const known = knownLists.get(text)
  if (known) return known
  const roles = frozen(JSON.parse(text) as readonly Role[])
  if (knownLists.size >= KNOWN_LISTS) knownLists.clear()
  knownLists.set(text, roles)
  return roles
}

export const ACCOUNT = mapping<Omit<Account, 'roles'>>(
  ...(['id', 'email', 'passwordHash', 'epoch', 'disabledAt', 'createdAt', 'secondFactor'] as const),
  ...(['enteredEmail', 'sharedEmail'] as const),
)

export const ROLE = mapping<Role>('uuid', 'key', 'label')

export const PROJECT = mapping<Project>(
  ...(['id', 'label', 'status', 'budget', 'createdBy', 'createdAt', 'closedAt'] as const),
)

const MAIL_MEMBERS = ['id', 'kind', 'email', 'askedAt', 'address', 'requestId', 'about', 'attempts'] as const

export const MAIL_JOB = mapping<MailJob>(...MAIL_MEMBERS)

/** A mail job that is queued or copied is due immediately. A copied job is unclaimed, because its worker belongs to the other store. */
export const QUEUED_MAIL = mapWith(
  mapping<MailJob & { readonly dueAt: number; readonly claimedUntil: number }>(
    ...MAIL_MEMBERS,
    'dueAt',
    'claimedUntil',
  ),
  (queued): MailJob => queued,
  (job) => ({ ...job, dueAt: 0, claimedUntil: 0 }),
)

export const PROOF = mapWith(
  mapping<Omit<Proof, 'roles'> & { readonly roles?: string }>(
    ...(['id', 'purpose', 'email', 'enteredEmail', 'createdAt', 'until', 'accountId', 'epoch'] as const),
    ...(['roles', 'binding', 'digest', 'codeHash', 'attempts'] as const),
  ),
  ({ roles, ...row }): Proof => ({
    ...row,
    ...(roles !== undefined && { roles: JSON.parse(roles) as readonly RoleKey[] }),
  }),
  ({ roles, ...proof }) => ({ ...proof, ...(roles && { roles: JSON.stringify(roles) }) }),
)

/** SQLite returns a creator's ID as a number, and PostgreSQL returns it as text. */
export const API_KEY = mapWith(
  mapping<Omit<RecordOf['apiKey'], 'roles' | 'createdBy'> & { readonly createdBy?: string | number }>(
    ...(['id', 'name', 'createdAt', 'createdBy', 'revokedAt', 'expiresAt', 'lastUsedAt', 'digest'] as const),
  ),
  ({ createdBy, ...key }): Omit<RecordOf['apiKey'], 'roles'> => ({
    ...key,
    ...(createdBy !== undefined && {
      createdBy: createdBy === 'cli' ? 'cli' : (Number(createdBy) as AccountId),
    }),
  }),
  (key) => key,
)

type AuditRow = Omit<AuditRecord, 'accounts'> & {
  readonly accountId?: AccountId
  readonly otherAccountId?: AccountId
}

/** Maps audit records to rows; a record refers to at most two accounts. */
export const AUDIT_RECORD = mapWith(
  mapping<AuditRow>(
    ...(['id', 'at', 'event', 'actor', 'subject', 'address', 'requestId', 'outcome'] as const),
    ...(['accountId', 'otherAccountId', 'count', 'countKey'] as const),
  ),
  ({ accountId, otherAccountId, ...record }): AuditRecord => ({
    ...record,
    accounts: [accountId, otherAccountId].filter((one) => one !== undefined),
  }),
  ({ accounts: [accountId, otherAccountId], ...record }) => ({
    ...record,
    ...(accountId !== undefined && { accountId }),
    ...(otherAccountId !== undefined && { otherAccountId }),
  }),
)

export const PET = mapWith(
  mapping<Omit<Pet, 'traits'> & { readonly traits?: string }>(
    ...(['id', 'name', 'tag', 'category', 'revision', 'traits'] as const),
  ),
  ({ traits, ...pet }): Pet =>
    traits === undefined ? pet : { ...pet, traits: JSON.parse(traits) as Traits },
  ({ traits, ...pet }) => ({ ...pet, ...(traits && { traits: JSON.stringify(traits) }) }),
)

export const IDEMPOTENCY_KEY = mapping<RecordOf['idempotencyKey']>(
  ...(['scope', 'key', 'fingerprint', 'petId', 'until'] as const),
)

type Pairs = LoginPairs['current'] & { readonly previousPairId: PairId; readonly previousUntil: Instant }
type LoginRow = Omit<RecordOf['revocation'], 'pairs'> & Partial<Pairs>

const PAIRS = ['pairId', 'kid', 'issuedAt', 'previousPairId', 'previousUntil'] as const

export const LOGIN = mapWith(
  mapping<LoginRow>('sessionId', 'until', ...PAIRS),
  ({ sessionId, until, ...row }): RecordOf['revocation'] => {
    if (row.pairId === undefined) return { sessionId, until }
    const { previousPairId, previousUntil, ...current } = row as Pairs
    const previous = { pairId: previousPairId, until: previousUntil }
    return { sessionId, until, pairs: { current, previous } }
  },
  ({ sessionId, until, pairs }) => {
    if (!pairs) return { sessionId, until }
    const { current, previous } = pairs
    return { sessionId, until, ...current, previousPairId: previous.pairId, previousUntil: previous.until }
  },
)

type PasskeyRow = Omit<Passkey, 'synced' | 'backedUp' | 'transports'> & {
  readonly synced: number
  readonly backedUp: number
  readonly transports: string
}

export const PASSKEY = mapWith(
  mapping<PasskeyRow>(
    ...(['accountId', 'id', 'publicKey', 'counter', 'synced', 'backedUp', 'transports'] as const),
    ...(['name', 'createdAt', 'lastUsedAt'] as const),
  ),
  ({ synced, backedUp, transports, ...row }): Passkey => ({
    ...row,
    synced: synced === 1,
    backedUp: backedUp === 1,
    transports: JSON.parse(transports) as readonly string[],
  }),
  ({ synced, backedUp, transports, ...passkey }) => ({
    ...passkey,
    synced: synced ? 1 : 0,
    backedUp: backedUp ? 1 : 0,
    transports: JSON.stringify(transports),
  }),
)

export const SECOND_FACTOR = mapping<SecondFactor>(
  ...(['sealedSecret', 'begunAt', 'activeSince', 'lastStep', 'recoveryLeft'] as const),
)

/** Revokes a login and deletes its token pairs. If the login was already revoked, keeps the later end time. */
export const REVOKE = `
  INSERT INTO {revocations} AS r (session_id, until) VALUES (?, ?)
  ON CONFLICT (session_id) DO UPDATE SET
    until = excluded.until, ${LOGIN.columns
      .slice(2)
      .map((column) => `${column} = NULL`)
      .join(', ')}
  WHERE r.until < excluded.until OR r.pair_id IS NOT NULL`
