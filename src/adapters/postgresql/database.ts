import type { Pool, PoolClient } from 'pg'
import { createLastWrite } from '../../application/last-write.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { Value } from '../sql/statements.js'
import { trackCalls, within } from '../database-server.js'
import {
  asConnectRefusal,
  asRefusal,
  isConnectionError,
  isContradiction,
  isDiskFull,
  isUndone,
  keepsConnection,
} from './errors.js'
import { createNamedRun, onPrimary, runOn, unlessContradiction, type Client } from './run-statement.js'
import { createPool, DEFAULTS } from './server.js'
import type { PostgresOptions } from './options.js'
import { statementsOf, translate, type PostgresStatements, type Query, type Result } from './statements.js'

/** A store's database, on one server or behind a connection pool. */
export type Database = {
  readonly statements: PostgresStatements
  /** The quoted name of the schema. */
  readonly schema: string
  /** Runs `work` in a transaction on one connection; in the SQL for `query`, table names are in braces. */
  readonly transaction: <T>(
    work: (query: (sql: string, ...values: readonly Value[]) => Promise<Result>) => Promise<T>,
  ) => Promise<T>
  /** Rejects with `unavailable` if the server does not accept writes, if the schema is missing, or if the last write failed. */
  readonly ready: () => Promise<void>
  /** Waits for running calls, and then closes the connections. Idempotent. */
  readonly close: () => Promise<void>
}

/** Maximum number of attempts, within the time limit, to run a statement that the server rolls back. */
const MAX_TRIES = 10

export async function connectDatabase(url: string, options: PostgresOptions = {}): Promise<Database> {
  const chosen = { ...DEFAULTS, ...options }
  const pool = await createPool(url, chosen)
  return createDatabase(pool, quoted(chosen.schema), chosen)
}

function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`
}

/** Fails if the disk is full: with 18 kB of random text, the row needs new pages, whereas an `UPDATE` of a small row may find room. */
const WRITE_LARGE_ROW = `
  INSERT INTO {meta} (key, value)
  SELECT 'probe', string_agg(CAST(gen_random_uuid() AS text), '') FROM generate_series(1, 500)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`

type Limits = { readonly timeout: Milliseconds; readonly readyTimeout: Milliseconds }

function createDatabase(pool: Pool, schema: string, { timeout, readyTimeout }: Limits): Database {
  const { track, close } = trackCalls('PostgreSQL', readyTimeout, () => pool.end())
  const outdated = new WeakSet<Client>()
  const runNamed = createNamedRun((client) => outdated.add(client))

  /** Destroys the connection after an error that leaves its state unknown, for example if the server did not answer in time. */
  async function onClient<T>(deadline: Milliseconds, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await connectWithin(pool, deadline - performance.now())
    let isUsable = false
    try {
      const result = await within(deadline - performance.now(), work(client), 'PostgreSQL')
      isUsable = true
      return result
    } catch (error) {
      isUsable = keepsConnection(error)
      throw error
    } finally {
      client.release(!isUsable || outdated.has(client))
    }
  }

  /** A read may be repeated after a broken connection. A write may be repeated only if the server has rolled it back. */
  async function repeated<T>(
    deadline: Milliseconds,
    mayRepeat: (error: unknown) => boolean,
    work: (client: PoolClient) => Promise<T>,
  ) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await onClient(deadline, work)
      } catch (error) {
        if (tries === MAX_TRIES || performance.now() > deadline || !mayRepeat(error)) throw asRefusal(error)
      }
    }
  }

  const run = <T>(
    limit: Milliseconds,
    mayRepeat: (error: unknown) => boolean,
    work: (client: PoolClient) => Promise<T>,
  ) => track(() => repeated(performance.now() + limit, mayRepeat, work))

  const mayReadAgain = (error: unknown) => isUndone(error) || isConnectionError(error) || isEnded(error)
  const readWithin =
    (limit: Milliseconds): Query =>
    (text, values) =>
      run(limit, mayReadAgain, (client) => runNamed(client, text, values))
  const lastWrite = createLastWrite({
    probe: () => statements.write(WRITE_LARGE_ROW).run(),
    now: () => performance.now(),
    isFailure: (error) => !isContradiction(error),
    isLasting: isDiskFull,
  })
  const write: Query = (text, values) =>
    lastWrite.noted(() => run(timeout, isUndone, (client) => runNamed(client, text, values)))
  const statements = statementsOf(schema, {
    read: readWithin(timeout),
    readPrimary: (text, values) =>
      run(timeout, mayReadAgain, (client) =>
        onPrimary((...statement) => runNamed(client, ...statement))(text, values),
      ),
    write,
    attempt: (...statement) => write(...statement).catch(unlessContradiction),
  })

  const readyQuery = translate("SELECT pg_is_in_recovery() FROM {meta} WHERE key = 'schema'", schema)

  return {
    statements,
    schema,
    transaction: (work) =>
      run(timeout, isUndone, async (client) => {
        await client.query('BEGIN')
        try {
          const result = await work((sql, ...values) => runOn(client, translate(sql, schema), values))
          await client.query('COMMIT')
          return result
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined)
          throw error
        }
      }),
    ready: async () => {
      await onPrimary(readWithin(readyTimeout))(readyQuery, [])
      await lastWrite.assertDone()
    },
    close,
  }
}

/**
 * Throws a Refusal if no connection can be established, so the call is not repeated. If a connection becomes free only after the time
 * limit, it goes back to the pool.
 */
async function connectWithin(pool: Pool, limit: Milliseconds): Promise<PoolClient> {
  const connecting = pool.connect()
  try {
    return await within(limit, connecting, 'PostgreSQL')
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    )
    throw asConnectRefusal(error)
  }
}

/** Returns whether the server closed the connection, for example because it restarts; a read can be repeated on another connection. */
function isEnded(error: unknown): boolean {
  return !keepsConnection(error) && asRefusal(error) !== error
}
