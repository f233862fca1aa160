import { createLastWrite } from '../../application/last-write.js'
import type { Milliseconds } from '../../domain/instant.js'
import { isRefusal, unavailable } from '../../domain/refusal.js'
import { createWrite, type Write, whileBusy, type Retry } from './transaction.js'
import { connect, emptyLog, type Connection } from './driver.js'
import { asRefusal, isBusy, openingError } from './errors.js'
import { assertWritable, findFile, makeFile, watchFile } from './file.js'
import { createRowCaches, type RowCaches } from './row-cache.js'
import { assertCurrent, isEarlierSchema, migrate, readVersion, setting } from './schema.js'

/** An open SQLite file, which the ports of a store share. */
export type Database = Pick<Connection, 'prepare'> & {
  /** Caches of rows that every request needs; entries stay valid until the rows change. */
  readonly rowCaches: Pick<RowCaches, 'cache'>
  /** Runs work that only reads. Rejects with the error that `work` threw or with an `unavailable` Refusal. */
  readonly read: <T>(work: () => T) => Promise<T>
  /** Runs read-only work that uses `rowCaches`; all such work of one event loop turn runs together. */
  readonly readCached: <T>(work: () => T) => Promise<T>
  readonly write: Write
  /** Copies as much of the write-ahead log to the database file as the current readers permit; never waits. */
  readonly writeBack: () => Promise<void>
  /** Rejects with `unavailable` if the file is not readable and writable, or if the last write failed. */
  readonly ready: () => Promise<void>
  /** Waits for running calls, and then closes the file. Calling `close` again has no effect. */
  readonly close: () => Promise<void>
}

/** Options of the SQLite store, with times in milliseconds. */
export type SqliteOptions = {
  /** How long one attempt may block the event loop while another process holds a lock; 20 by default. */
  readonly busyTimeout?: Milliseconds
  /** How many milliseconds a call waits for a lock held by another process before it fails with `unavailable`; 5,000 by default. */
  readonly timeout?: Milliseconds
  /** Called when a damaged attempts file has been replaced with an empty file, which resets all counts. */
  readonly onAttemptsRecreated?: () => void
  /** Whether a missing file is created; `true` by default. */
  readonly create?: boolean
  /** Called if the file was created. */
  readonly onCreated?: () => void
  /**
   * Whether the schema of an earlier release is upgraded; `true` by default. If `false`, a file with an earlier schema is rejected and
   * stays unchanged.
   */
  readonly upgrade?: boolean
}

const DEFAULTS = { busyTimeout: 20, timeout: 5_000, create: true, upgrade: true }

/** Cache size of 2 MiB. With a million sessions, a cache of 64 MiB brings no measurable benefit. */
const CACHE_KIBIBYTES = 2_048
/** SQLite checkpoints the write-ahead log at 4 MiB, and truncates the log to 16 MiB after a burst of writes. */
const CHECKPOINT_PAGES = 1_000
const LOG_LIMIT_BYTES = 16 * 1024 * 1024
/** Checking that the file still exists takes a quarter of the time of a read, so not every read checks. */
const PRESENCE_INTERVAL: Milliseconds = 100

/** Opens or creates the file and updates its schema. Rejects with a Refusal whose `detail` describes the problem. */
export async function openDatabase(path: string, options: SqliteOptions = {}): Promise<Database> {
  const chosen = { ...DEFAULTS, ...options }
  const timeout: Retry = { busyTimeout: chosen.busyTimeout, total: chosen.timeout }
  const isNew = !findFile(path, chosen.create)
  const connection = await openFile(path, timeout, chosen.upgrade ? readVersion : assertCurrent)
  if (isNew) options.onCreated?.()
  return createDatabase(connection, timeout, path)
}

async function openFile(
  path: string,
  timeout: Retry,
  check: (connection: Connection) => void,
): Promise<Connection> {
  makeFile(path)
  const connection = await connect(path).catch((error: unknown) => {
    throw openingError(error)
  })
  try {
    await whileBusy(timeout, () => configure(connection, timeout, check))
    return connection
  } catch (error) {
    connection.close()
    throw openingError(error)
  }
}

function configure(connection: Connection, timeout: Retry, check: (connection: Connection) => void): void {
  connection.exec(`PRAGMA busy_timeout = ${timeout.busyTimeout}`)
  check(connection)
  if (setting(connection, 'PRAGMA journal_mode = WAL') !== 'wal') {
    throw unavailable('The file system of the database file cannot share memory between processes.')
  }
  connection.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -${CACHE_KIBIBYTES};
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES};
  `)
  migrate(connection)
}

const now = () => performance.now()

function reachability(path: string): () => void {
  const isThere = watchFile(path)
  return () => {
    if (!isThere()) throw unavailable('The database file was moved, replaced or deleted.')
  }
}

function nowAndThen(assertReachable: () => void): () => void {
  let lookAgainAt = 0
  return () => {
    const at = now()
    if (at < lookAgainAt) return
    assertReachable()
    lookAgainAt = at + PRESENCE_INTERVAL
  }
}

function rewriteVersion(connection: Connection): void {
  connection.exec(`PRAGMA user_version = ${String(setting(connection, 'PRAGMA user_version'))}`)
}

/** If a copy from before an upgrade was restored into the open file, the file lacks tables, columns or triggers. */
function createSchemaCheck(connection: Connection) {
  const version = connection.prepare('PRAGMA user_version')
  function assertSchema(): void {
    if (isEarlierSchema(version.get()?.[0]))
      throw unavailable(
        'The database file was replaced by a copy from before an upgrade: restart the service.',
      )
  }
  /** An error that is not converted to a Refusal may be caused by a missing table or column. */
  function rethrow(error: unknown): never {
    const known = asRefusal(error)
    if (!isRefusal(known)) assertSchema()
    throw known
  }
  return { assertSchema, rethrow }
}

function createDatabase(connection: Connection, timeout: Retry, path: string): Database {
  const assertReachable = reachability(path)
  const { assertSchema, rethrow } = createSchemaCheck(connection)
  const rowCaches = createRowCaches(connection, assertSchema)
  const write = createWrite(connection, timeout, () => {
    assertReachable()
    rowCaches.expectOwn()
  })
  const underWay = new Set<Promise<unknown>>()
  const assertRecentlyReachable = nowAndThen(assertReachable)
  let closing: Promise<void> | undefined

  const assertOpen = () => {
    if (closing) throw unavailable('The store is closed.')
  }

  async function kept<T>(promise: Promise<T>): Promise<T> {
    underWay.add(promise)
    try {
      return await promise
    } finally {
      underWay.delete(promise)
    }
  }

  const lastWrite = createLastWrite({ probe: () => kept(write(() => rewriteVersion(connection))), now })

  function readNow<T>(work: () => T): T | Promise<T> {
    assertRecentlyReachable()
    try {
      return work()
    } catch (error) {
      if (isBusy(error)) return kept(whileBusy(timeout, work))
      return rethrow(error)
    }
  }

  async function read<T>(work: () => T): Promise<T> {
    assertOpen()
    return await readNow(work)
  }

  async function readCached<T>(work: () => T): Promise<T> {
    assertOpen()
    await rowCaches.turn()
    return await readNow(work)
  }

  async function closeOnce(): Promise<void> {
    // First finishes the reads that are waiting for this event loop turn.
    await rowCaches.turn()
    await Promise.allSettled(underWay)
    emptyLog(connection)
    connection.close()
  }

  return {
    prepare: (sql) => connection.prepare(sql),
    rowCaches,
    read,
    readCached,
    write: async (work) => {
      assertOpen()
      return await lastWrite.noted(() => kept(write(work))).catch(rethrow)
    },
    writeBack: () => read(() => connection.exec('PRAGMA wal_checkpoint(PASSIVE)')),
    ready: async () => {
      await read(() => {
        assertReachable()
        assertWritable(path)
        assertSchema()
      })
      await lastWrite.assertDone()
    },
    close: () => (closing ??= closeOnce()),
  }
}
