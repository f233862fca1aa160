import type { Row, Statement, Statements, Value } from '../sql/statements.js'

/** The rows that a statement returned, and the number of rows that it changed. */
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
