import type { Role } from '../../domain/access/role.js'
import type { Account } from '../../domain/identity/account.js'
import { frozen } from '../../domain/plain-data.js'
import type { Row, Value } from './driver.js'

/** Defines how records are stored in the rows of a table. */
export type Mapping<T> = {
  readonly columns: readonly string[]
  readonly list: string
  readonly parameters: string
  /** Converts a row that begins with these columns to a record. */
  readonly read: (row: Row) => T
  readonly values: (record: T) => readonly Value[]
}

/** The column of the property `askedAt` is `asked_at`; NULL represents an absent property. */
export function mapping<T extends object>(...members: readonly (keyof T & string)[]): Mapping<T> {
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

/** Returns the mapping of records whose structure differs from their rows. */
export function mapWith<T, R>(mapping: Mapping<R>, read: (row: R) => T, write: (record: T) => R): Mapping<T> {
  return {
    ...mapping,
    read: (row) => read(mapping.read(row)),
    values: (record) => mapping.values(write(record)),
  }
}

export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function upsert(table: string, columns: readonly string[], key: readonly string[]): string {
  const changes = columns.filter((one) => !key.includes(one)).map((one) => `${one} = excluded.${one}`)
  return `
    INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes.join(', ')}`
}

/**
 * Returns an SQL expression for a column with the roles of one row as a JSON array. `owner` is the column of `members` that refers to `id`.
 */
export function rolesOf(members: 'memberships' | 'api_key_roles', owner: string, id: string): string {
  return `(
    SELECT json_group_array(json_object('uuid', uuid, 'key', key, 'label', label))
    FROM (
      SELECT r.uuid, r.key, r.label
      FROM ${members} AS m CROSS JOIN roles AS r ON r.key = m.role_key
      WHERE m.${owner} = ${id} ORDER BY m.role_key
    )
  )`
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

/** Assigns the role `?2` to the account `?1`, once. The membership row repeats the account columns that searches need. */
export const JOIN_ROLE = `
  INSERT INTO memberships (account_id, role_key, email, disabled)
  SELECT id, ?2, email, disabled_at IS NOT NULL FROM accounts WHERE id = ?1
  ON CONFLICT DO NOTHING`

export const ACCOUNT = mapping<Omit<Account, 'roles'>>(
  ...(['id', 'email', 'passwordHash', 'epoch', 'disabledAt', 'createdAt', 'secondFactor'] as const),
  ...(['enteredEmail', 'sharedEmail'] as const),
)

const OWN_COLUMNS = ACCOUNT.columns.map((column) => `a.${column}`).join(', ')

/** Columns of an account for queries with the table alias `a`. */
export const ACCOUNT_COLUMNS = `${OWN_COLUMNS}, ${rolesOf('memberships', 'account_id', 'a.id')} AS roles`

/** Columns for queries that read accounts in email order; the memberships of an account are adjacent in that order, too. */
export const ACCOUNT_COLUMNS_BY_EMAIL = `${OWN_COLUMNS}, ${rolesOf('memberships', 'email', 'a.email')} AS roles`

export function accountOf(row: Row): Account {
  return { ...ACCOUNT.read(row), roles: parseRoles(row[ACCOUNT.columns.length]) }
}
