import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRefusal, unavailable } from 'kennel-id'

/** Node's built-in SQLite or, on Node 20, a package with the same interface. */
const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? (await import('@photostructure/sqlite'))

/**
 * A port's calls as synchronous functions.
 *
 * @template Port
 * @typedef {{ [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
 *   ? (...args: Args) => Answer : never }} SyncPort
 */

/**
 * A prepared statement, with the type of its rows.
 *
 * @template Row
 * @typedef {{
 *   get(...values: unknown[]): Row | undefined,
 *   all(...values: unknown[]): Row[],
 *   run(...values: unknown[]): { readonly changes: number | bigint },
 * }} Statement
 */

/**
 * The database. The caller declares the row type of each statement, because the compiler cannot infer it from the SQL.
 *
 * @typedef {{ prepare(sql: string): Statement<any>, exec(sql: string): void, close(): void }} Database
 */

/**
 * Opens the users' database file and creates Kennel's tables.
 *
 * @param {string} path
 * @returns {Database}
 */
export function openDatabase(path) {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON')
  database.exec(readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8'))
  return database
}

/**
 * Creates a port from synchronous functions. Each call is one transaction, so no other process changes rows between
 * the reads and writes of the
 * call. A database error becomes an `unavailable` refusal.
 *
 * @template Port
 * @param {Database} database
 * @param {SyncPort<Port>} steps
 * @returns {Port}
 */
export function port(database, steps) {
  const calls = Object.entries(/** @type {Record<string, Function>} */ (steps)).map(([name, step]) => [
    name,
    async (/** @type {unknown[]} */ ...args) => {
      try {
        return inTransaction(database, () => step(...args))
      } catch (error) {
        throw isRefusal(error) ? error : unavailable('the users cannot be read or written', error)
      }
    },
  ])
  return Object.fromEntries(calls)
}

/**
 * @param {Database} database
 * @param {() => unknown} work
 */
function inTransaction(database, work) {
  database.exec('BEGIN IMMEDIATE')
  try {
    const answer = work()
    database.exec('COMMIT')
    return answer
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
