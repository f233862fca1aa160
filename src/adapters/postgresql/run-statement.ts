import { createHash } from 'node:crypto'
import type { QueryArrayConfig } from 'pg'
import type { Row, Value } from '../sql/statements.js'
import { asRefusal, inRecovery, isContradiction, serverError } from './errors.js'
import { NO_ROWS, type Queries, type Query, type Result } from './statements.js'

/** All numbers of the store are safe integers or doubles; the driver would return 64-bit integers as strings. */
const NUMBERS = new Set([20, 21, 23, 700, 701])
const BOOLEAN = 16
const TYPES: QueryArrayConfig['types'] = {
  getTypeParser: (type: number) => {
    if (NUMBERS.has(type)) return Number
    return type === BOOLEAN ? (text: string) => text === 't' : (text: string) => text
  },
}

/** A connection of the driver, declared without the driver's types, because this package's declarations must not require them. */
export type Client = {
  query(...statement: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>
}

/** Runs one statement on a connection. The server parses and plans a named statement only once per connection. */
export async function runOn(
  client: Client,
  text: string,
  values: readonly Value[],
  name?: string,
): Promise<Result> {
  const { rows, rowCount } = await client.query({
    ...(name !== undefined && { name }),
    text,
    values: [...values],
    rowMode: 'array',
    types: TYPES,
  })
  return { rows: rows as Row[], changes: rowCount ?? 0 }
}

/**
 * Returns a `runOn` that uses named statements, until a pool in transaction mode loses or mixes up a name. The server then rejects the
 * statement before it runs, so it is safe to run the statement again without a name, even if the statement writes. `onOutdated` is called
 * if a connection has prepared the statement for columns that have changed since; such a connection keeps rejecting the name, so it should
 * be closed.
 */
export function createNamedRun(
  onOutdated: (client: Client) => void,
): (client: Client, text: string, values: readonly Value[]) => Promise<Result> {
  let isNaming = true
  const names = new Map<string, string>()

  /**
   * Derives the name from the SQL text, so that processes and releases that share pooled connections never use one name for two statements.
   */
  function nameOf(text: string): string {
    const name = names.get(text) ?? `kennel_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
    names.set(text, name)
    return name
  }

  return async (client, text, values) => {
    if (!isNaming) return await runOn(client, text, values)
    try {
      return await runOn(client, text, values, nameOf(text))
    } catch (error) {
      const code = serverError(error)?.code
      if (code === OUTDATED_PLAN) onOutdated(client)
      else if (code !== undefined && LOST_NAME.has(code)) isNaming = false
      else throw error
      return await runOn(client, text, values)
    }
  }
}

/** SQLSTATE codes for a name that is unknown or already in use. */
const LOST_NAME = new Set(['26000', '42P05'])
/** SQLSTATE code for a prepared statement that would now return different columns. */
const OUTDATED_PLAN = '0A000'

/** Returns a query that rejects if the first column of the first row says that the server is in recovery. */
export function onPrimary(query: Query): Query {
  return async (text, values) => {
    const result = await query(text, values)
    if (result.rows[0]?.[0]) throw inRecovery()
    return result
  }
}

/** Returns a result without rows if a constraint rejected a row; rethrows any other error. */
export function unlessContradiction(error: unknown): Result {
  if (isContradiction(error)) return NO_ROWS
  throw error
}

/**
 * Runs statements on the embedder's connection, within the embedder's transaction. Statements run one after another, because a savepoint
 * spans several statements, and because later versions of the driver accept only one query at a time.
 */
export function queriesOn(client: Client): Queries {
  let last: Promise<unknown> = Promise.resolve()

  async function inOrder(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    try {
      return await result
    } catch (error) {
      throw asRefusal(error)
    }
  }

  const run: Query = (text, values) => inOrder(() => runOn(client, text, values))
  const attempt: Query = (text, values) =>
    inOrder(async () => {
      await client.query('SAVEPOINT kennel')
      try {
        return await runOn(client, text, values)
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT kennel')
        return unlessContradiction(error)
      } finally {
        await client.query('RELEASE SAVEPOINT kennel')
      }
    })
  return { read: run, readPrimary: onPrimary(run), write: run, attempt }
}
