import { createLastWrite } from '../../application/last-write.js'
import type { Milliseconds } from '../../domain/instant.js'
import { unavailable } from '../../domain/refusal.js'
import { createWrite, type Write } from './commits.js'
import { connect, emptyLog, type Connection } from './driver.js'
import { asRefusal, isBusy, openingError } from './errors.js'
import { assertWritable, findFile, makeFile, watchFile } from './file.js'
import { createRowCaches, type RowCaches } from './row-cache.js'
import { migrate, readVersion, setting } from './schema.js'
import { whileBusy, type Retry } from './transaction.js'

/** One open file, as the ports use it. */
export type Database = Pick<Connection, 'prepare'> & {
  /** Rows of statements that every request needs, until the next write. */
  readonly rowCaches: Pick<RowCaches, 'cache'>
  /** Does work that only reads; rejects with what it threw or with a Refusal `unavailable`. */
  readonly read: <T>(work: () => T) => Promise<T>
  /** The same for work that asks `rowCaches`: together with all that is asked for in one turn of the event loop. */
  readonly readCached: <T>(work: () => T) => Promise<T>
  readonly write: Write
  /** Brings what is in the log into the file, as far as no reader stands in the way; it never waits. */
  readonly writeBack: () => Promise<void>
  /**
   * Resolves while the file is there, answers and can be written; rejects with `unavailable` otherwise, also after a write
   * that failed, until a write has succeeded.
   */
  readonly ready: () => Promise<void>
  /** Waits for what is under way, then closes the file. Twice is harmless. */
  readonly close: () => Promise<void>
}

/** How long to wait for locks of other processes, in milliseconds. */
export type SqliteOptions = {
  /** How long a single attempt may block the event loop for a lock of another process; 20. */
  readonly busyTimeout?: Milliseconds
  /** How long a call waits for such a lock, without blocking, before it is `unavailable`; 5,000. */
  readonly timeout?: Milliseconds
  /** Called when a damaged file of attempts was replaced by an empty one: all counts of attempts begin again. */
  readonly onAttemptsRecreated?: () => void
  /** Whether a file that does not exist is made; `true`. */
  readonly create?: boolean
  /** Called when the file did not exist and was made. */
  readonly onCreated?: () => void
}

const DEFAULTS = { busyTimeout: 20, timeout: 5_000, create: true }

/**
 * 4 MiB, whatever the size of the file: the system's own cache holds the rest. In a file of a million sessions 64 MiB save
 * nothing that can be measured, and a mapped file saves 2 µs of a look-up and counts as resident memory of each process.
 */
const CACHE_KIBIBYTES = 4_096
/** 4 MiB of log, then it is written back; after a burst it is cut to 16 MiB. */
const CHECKPOINT_PAGES = 1_000
const LOG_LIMIT_BYTES = 16 * 1024 * 1024
/** Asking whether the file is still there costs a quarter of a read, so not every read does. */
const PRESENCE_INTERVAL: Milliseconds = 100

/**
 * Opens the file, makes it if it does not exist and may be made, and brings its schema up to date. Rejects with a
 * Refusal whose `detail` says what is wrong with the file.
 */
export async function openDatabase(path: string, options: SqliteOptions = {}): Promise<Database> {
  const chosen = { ...DEFAULTS, ...options }
  const timeout: Retry = { busyTimeout: chosen.busyTimeout, total: chosen.timeout }
  const isNew = !findFile(path, chosen.create)
  const connection = await openFile(path, timeout)
  if (isNew) options.onCreated?.()
  const isThere = watchFile(path)
  return createDatabase(connection, timeout, {
    assertReachable: () => {
      if (!isThere()) throw unavailable('The database file was moved, replaced or deleted.')
    },
    assertWritable: () => assertWritable(path),
  })
}

async function openFile(path: string, timeout: Retry): Promise<Connection> {
  makeFile(path)
  const connection = await connect(path).catch((error: unknown) => {
    throw openingError(error)
  })
  try {
    await whileBusy(timeout, () => configure(connection, timeout))
    return connection
  } catch (error) {
    connection.close()
    throw openingError(error)
  }
}

/** The file is judged before anything is written to it. */
function configure(connection: Connection, timeout: Retry): void {
  connection.exec(`PRAGMA busy_timeout = ${timeout.busyTimeout}`)
  readVersion(connection)
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

function nowAndThen(assertReachable: () => void): () => void {
  let lookAgainAt = 0
  return () => {
    const at = now()
    if (at < lookAgainAt) return
    assertReachable()
    lookAgainAt = at + PRESENCE_INTERVAL
  }
}

async function keptIn<T>(underWay: Set<Promise<unknown>>, promise: Promise<T>): Promise<T> {
  underWay.add(promise)
  try {
    return await promise
  } finally {
    underWay.delete(promise)
  }
}

/** Each throws a Refusal `unavailable`. */
type FileChecks = { readonly assertReachable: () => void; readonly assertWritable: () => void }

/** A commit that changes nothing. */
function rewriteVersion(connection: Connection): void {
  connection.exec(`PRAGMA user_version = ${String(setting(connection, 'PRAGMA user_version'))}`)
}

function createDatabase(connection: Connection, timeout: Retry, file: FileChecks): Database {
  const rowCaches = createRowCaches(connection)
  const write = createWrite(connection, timeout, () => {
    file.assertReachable()
    rowCaches.forget()
  })
  const answer = connection.prepare('PRAGMA user_version')
  const underWay = new Set<Promise<unknown>>()
  const assertRecentlyReachable = nowAndThen(file.assertReachable)
  let closing: Promise<void> | undefined

  const assertOpen = () => {
    if (closing) throw unavailable('The store is closed.')
  }

  const kept = <T>(promise: Promise<T>) => keptIn(underWay, promise)
  const lastWrite = createLastWrite({ probe: () => kept(write(() => rewriteVersion(connection))), now })

  function readNow<T>(work: () => T): T | Promise<T> {
    assertRecentlyReachable()
    try {
      return work()
    } catch (error) {
      if (isBusy(error)) return kept(whileBusy(timeout, work))
      throw asRefusal(error)
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
    // Earlier reads wait for the same turn, and so they read first.
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
      return await lastWrite.noted(() => kept(write(work)))
    },
    writeBack: () => read(() => connection.exec('PRAGMA wal_checkpoint(PASSIVE)')),
    ready: async () => {
      await read(() => {
        file.assertReachable()
        file.assertWritable()
        answer.get()
      })
      await lastWrite.assertDone()
    },
    close: () => (closing ??= closeOnce()),
  }
}
