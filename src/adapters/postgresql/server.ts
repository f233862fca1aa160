import type { Pool, PoolClient, PoolConfig } from 'pg'
import { unavailable } from '../../domain/refusal.js'
import { assertFilesReadable, POOL_SIZES, SERVER_DEFAULTS, within } from '../database-server.js'
import type { Statements } from '../sql/statements.js'
import { inRecovery, loadDriver } from './errors.js'

export const DEFAULTS = { ...SERVER_DEFAULTS, schema: 'kennel', poolSize: POOL_SIZES.postgresql }

/** Does not pass on the driver's error, because it quotes a malformed URL with its password. */
export async function createPool(url: string, { timeout, poolSize }: typeof DEFAULTS): Promise<Pool> {
  const driver = await loadDriver()
  assertFilesReadable(url)
  try {
    const config = poolConfig(url, poolSize)
    // A pool does not parse the URL before its first connection.
    new driver.Client(config)
    const pool = new driver.Pool({
      ...config,
      ...{ connectionTimeoutMillis: timeout, application_name: 'kennel' },
      verify: (client, done) => {
        within(timeout, assertPrimary(client), 'PostgreSQL').then(() => done(), done)
      },
    })
    // The pool removes broken connections itself, but without these listeners, their errors would end the process.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
    return pool
  } catch {
    throw unavailable('DATABASE_URL is not a connection string that the PostgreSQL driver understands.')
  }
}

/**
 * Refuses a new connection to a server in recovery: a request that the primary authenticated must not read outdated data from a standby. A
 * primary cannot become a standby while its connections stay open, but a pool in transaction mode can move a connection to another server,
 * so `readPrimary` checks each read.
 */
async function assertPrimary(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>('SELECT pg_is_in_recovery() AS found')
  if (rows[0]?.found === true) throw inRecovery()
}

/** The driver reads every setting except the pool size from the URL. */
function poolConfig(url: string, poolSize: number): PoolConfig {
  const size = /[?&]pool_size=(\d+)/.exec(url)?.[1]
  const connectionString = url.replace(/([?&])pool_size=\d+&?/, '$1').replace(/[?&]$/, '')
  return { connectionString, max: size === undefined ? poolSize : Math.max(1, Number(size)) }
}

const OLDEST = 14

const OF_SERVER = `
  SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000,
    current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
    (SELECT count(*) FROM pg_stat_replication)`

type ServerRow = readonly [
  version: string,
  major: number,
  commit: string,
  synchronous: string,
  standbys: number,
]

/**
 * Rejects with `unavailable` if the server is too old. Calls `onWarning` if the server may lose a write that it has acknowledged: after a
 * crash, or when a standby takes over.
 */
export async function checkServer(
  { read }: Pick<Statements, 'read'>,
  onWarning: (sentence: string) => void = () => undefined,
): Promise<void> {
  const row = (await read<ServerRow>(OF_SERVER).get()) as ServerRow
  const [version, major, commit, synchronous, standbys] = row
  if (major < OLDEST)
    throw unavailable(
      `The PostgreSQL server is too old: it is version ${version}, and must be version ${OLDEST} or newer.`,
    )
  if (commit === 'off')
    onWarning(
      'synchronous_commit is off, so PostgreSQL may lose the last writes when it crashes: set it to on.',
    )
  else if (standbys > 0 && (synchronous === '' || commit === 'local'))
    onWarning(
      'Commits do not wait for a standby, so the last writes may be lost in a failover: set synchronous_standby_names, and synchronous_commit to on.',
    )
}
