import type { Row, Statement, Statements, Value } from '../sql/statements.js'
import { accountColumns } from '../sql/accounts.js'
import type { Instant } from '../../domain/instant.js'

export type Result = { readonly rows: readonly Row[]; readonly changes: number }

/** Runs the SQL text of a statement; rejects with a Refusal or with the server's error. */
export type Query = (text: string, values: readonly Value[]) => Promise<Result>

/** The SQL statements of the PostgreSQL ports. Each statement is one transaction, so a call that must be atomic is ONE statement. */
export type PostgresStatements = Statements & {
  /**
   * Prepares a read that authenticates a request. The read must return one row, and its first column must be `pg_is_in_recovery()`. Rejects
   * with `unavailable` if the server is in recovery, because a former primary may not know that a session has ended.
   */
  readonly readPrimary: Statements['read']
  /** Like `write`, but returns no row if a unique index or a foreign key rejected a row, without aborting a surrounding transaction. */
  readonly attempt: Statements['write']
}

export type Queries = { readonly [Name in 'read' | 'readPrimary' | 'write' | 'attempt']: Query }

export const NO_ROWS: Result = { rows: [], changes: 0 }

/** Returns the statements of a schema; `schema` is a quoted name. */
export function statementsOf(
  schema: string,
  { read, readPrimary, write, attempt }: Queries,
): PostgresStatements {
  const runWith =
    (query: Query) =>
    <R extends Row>(sql: string): Statement<R> => {
      const text = translate(sql, schema)
      const rows = async (values: readonly Value[]) => (await query(text, values)).rows as readonly R[]
      return {
        run: async (...values) => (await query(text, values)).changes,
        get: async (...values) => (await rows(values))[0],
        all: async (...values) => await rows(values),
      }
    }
  return {
    read: runWith(read),
    readPrimary: runWith(readPrimary),
    write: runWith(write),
    attempt: runWith(attempt),
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    keyShare: 'FOR KEY SHARE',
  }
}

/** Adds the schema to each table name, because `SET search_path` has no lasting effect in a pool in transaction mode. */
export function translate(sql: string, schema: string): string {
  let count = 0
  return sql
    .replace(/\{(\w+)\}/g, (_, table: string) => `${schema}.${table}`)
    .replace(/\?(\d*)/g, (_, number: string) => `$${number || String((count += 1))}`)
}

/** Returns an SQL expression for the roles of one row as JSON text. `owner` is the column of `members` that refers to `id`. */
export function rolesOf(members: 'memberships' | 'api_key_roles', owner: string, id: string): string {
  return `(
    SELECT CAST(coalesce(
      json_agg(json_build_object('uuid', r.uuid, 'key', r.key, 'label', r.label) ORDER BY m.role_key), '[]'
    ) AS text)
    FROM {${members}} AS m JOIN {roles} AS r ON r.key = m.role_key WHERE m.${owner} = ${id}
  )`
}

/** Columns of an account for queries with the table alias `a`. */
export const ACCOUNT_COLUMNS = accountColumns(rolesOf('memberships', 'account_id', 'a.id'))

type AccountChange = {
  readonly set: string
  readonly where: string
  readonly from?: string
}

/**
 * Returns common table expressions that change accounts, increment their epochs and remove their sessions. `changed` contains the IDs and
 * the new epochs. A concurrently opened session with an earlier epoch may remain, but is not active.
 */
export function endingSessions({ set, where, from }: AccountChange): string {
  return `
    changed AS (
      UPDATE {accounts} AS a SET ${set}, epoch = a.epoch + 1 ${from === undefined ? '' : `FROM ${from}`}
      WHERE ${where} RETURNING a.id, a.epoch
    ),
    ended AS (
      DELETE FROM {sessions} AS s USING changed WHERE s.account_id = changed.id AND s.epoch < changed.epoch
    )`
}

/**
 * Common table expressions that lock the roles of `new`, a JSON array of keys. `missing` contains the first unknown key. While the locks
 * are held, no concurrent statement can remove these roles.
 */
export const HELD_ROLES = `
  wanted AS (
    SELECT w.key, w.position
    FROM new, json_array_elements_text(CAST(new.roles AS json)) WITH ORDINALITY AS w (key, position)
  ),
  held AS (SELECT key FROM {roles} WHERE key IN (SELECT key FROM wanted) ORDER BY key FOR KEY SHARE),
  missing AS (SELECT key FROM wanted WHERE key NOT IN (SELECT key FROM held) ORDER BY position LIMIT 1)`

/** Common table expressions that insert the account in `new` with its roles. */
export const INSERTION = `${HELD_ROLES},
  taken AS (SELECT 1 FROM new JOIN {accounts} AS a ON a.email = new.email OR a.shared_email = new.email),
  inserted AS (
    INSERT INTO {accounts} (email, entered_email, password_hash, epoch, created_at, disabled_at)
    SELECT email, entered_email, password_hash, 1, created_at, disabled_at FROM new
    WHERE NOT EXISTS (SELECT 1 FROM missing) AND NOT EXISTS (SELECT 1 FROM taken)
    ON CONFLICT (email) DO NOTHING RETURNING id, email, disabled
  ),
  joined AS (
    INSERT INTO {memberships} (account_id, role_key, email, disabled)
    SELECT inserted.id, held.key, inserted.email, inserted.disabled FROM inserted, held
  )`

/** Selects the outcome of `INSERTION`: the new ID, the first unknown role, and the number of accounts that already have the email. */
export const INSERTION_COLUMNS =
  '(SELECT id FROM inserted), (SELECT key FROM missing), (SELECT count(*) FROM taken)'

/** Returns the rows as JSON text, for a parameter that `inJson` reads. */
export function asJson(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]]))),
  )
}

/** Returns a table expression for the rows of a JSON parameter, with the column names and column types of `table`. */
export function inJson(table: string): string {
  return `json_populate_recordset(CAST(NULL AS ${table}), CAST(? AS json))`
}

/**
 * Prepares a statement that removes the first rows in the order of an indexed column, up to a limit. Concurrent callers remove different
 * rows, and no caller can extend the lifetime of a locked row.
 */
export function prepareRemoval(
  { write }: Pick<Statements, 'write'>,
  table: string,
  column: string,
  isBefore: '<' | '<=' = '<=',
): (end: Instant | string, limit: number) => Promise<number> {
  const remove = write(
    `DELETE FROM {${table}} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM {${table}} WHERE ${column} ${isBefore} ? ORDER BY ${column} LIMIT ? FOR UPDATE SKIP LOCKED
     ))`,
  )
  return (end, limit) => remove.run(end, limit)
}
