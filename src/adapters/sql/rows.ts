import type { Role } from '../../domain/access/role.js'
import type { Account } from '../../domain/identity/account.js'
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

/** Returns a mapping for records that are structured differently from their rows. */
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
