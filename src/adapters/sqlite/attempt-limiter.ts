import { existsSync } from 'node:fs'
import { createLastWrite } from '../../application/last-write.js'
import type { Instant } from '../../domain/instant.js'
import { isRefusal, unavailable } from '../../domain/refusal.js'
import type { Attempt, AttemptCount, AttemptLimiter, AttemptOutcome } from '../../ports/attempt-limiter.js'
import { connect, emptyLog, type Connection } from './driver.js'
import { asRefusal, isDamaged } from './errors.js'
import { makeFile, removeDatabase, watchFile } from './file.js'
import { inTransaction, whileBusy, type Retry } from './transaction.js'

/** Other processes hold the lock on this file only for microseconds. */
const RETRY: Retry = { busyTimeout: 20, total: 5_000 }

/**
 * A power failure may lose counts, because writes do not wait for the disk. Counts are stored in a separate file, which the first attempt
 * creates, so that counting neither commits to the store nor invalidates its cached rows.
 */
const PREPARATION = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS attempts (
    name TEXT NOT NULL PRIMARY KEY,
    count INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS attempts_by_end ON attempts (until);`

export type Attempts = AttemptLimiter & {
  /** After a failed write, rejects with `unavailable` until a write succeeds. */
  ready(): Promise<void>
  close(): Promise<void>
}

/**
 * Counts attempts in the file `<path>-attempts`, which all processes of the store share. A damaged file is replaced with an empty file,
 * because a service that cannot count attempts accepts no login.
 */
export function createAttempts(path: string, onRecreated: () => void = () => undefined): Attempts {
  const file = `${path}-attempts`
  let opening: Promise<CountingDatabase> | undefined
  let closed = false

  /** The cause of a failure may be temporary, so the next call tries to open the file again. */
  function openOnce(): Promise<CountingDatabase> {
    return (opening ??= openCounting(file).catch((error: unknown) => {
      opening = undefined
      throw error
    }))
  }

  async function forget(used: Promise<CountingDatabase> | undefined): Promise<void> {
    opening = undefined
    await used?.then(({ close }) => close()).catch(() => undefined)
  }

  async function attempt<T>(work: (counting: CountingDatabase) => T): Promise<T> {
    const used = openOnce()
    let counting = await used
    if (!counting.isThere()) {
      if (opening === used) void forget(used)
      counting = await openOnce()
    }
    return await whileBusy(RETRY, () => work(counting))
  }

  async function inFile<T>(work: (counting: CountingDatabase) => T): Promise<T> {
    if (closed) throw unavailable('The store is closed.')
    const used = opening
    try {
      return await attempt(work)
    } catch (error) {
      if (!isDamaged(isRefusal(error) ? error.cause : error)) throw asRefusal(error)
    }
    // Another call may have replaced the file already; there is no `await` between the check and the replacement.
    if (opening === undefined || opening === used) {
      void forget(opening)
      removeDatabase(file)
      onRecreated()
    }
    return await attempt(work).catch((error: unknown) => {
      throw asRefusal(error)
    })
  }

  const lastWrite = createLastWrite({
    probe: () => inFile(({ probe }) => probe()),
    now: () => performance.now(),
  })
  const isMade = () => opening !== undefined || closed || existsSync(file)
  const write = <T>(work: (counting: CountingDatabase) => T) => lastWrite.noted(() => inFile(work))
  return {
    take: (counts, at) => write(({ take }) => take(counts, at)),
    refund: (attempt) => write(({ refund }) => refund(attempt)),
    clear: async (names) => {
      if (isMade()) await write(({ clear }) => clear(names))
    },
    purge: async (at, limit) => (isMade() ? await write(({ purge }) => purge(at, limit)) : 0),
    ready: lastWrite.assertDone,
    close: async () => {
      closed = true
      await forget(opening)
    },
  }
}

type CountingDatabase = Awaited<ReturnType<typeof openCounting>>
type Row = readonly [count: number, until: Instant]

async function openCounting(path: string) {
  makeFile(path)
  const connection = await connect(path)
  try {
    await whileBusy(RETRY, () => connection.exec(`PRAGMA busy_timeout = ${RETRY.busyTimeout};${PREPARATION}`))
    return createCounting(connection, watchFile(path))
  } catch (error) {
    connection.close()
    throw error
  }
}

function createCounting(connection: Connection, isThere: () => boolean) {
  const find = connection.prepare<Row>('SELECT count, until FROM attempts WHERE name = ? AND until > ?')
  const put = connection.prepare('INSERT OR REPLACE INTO attempts (name, count, until) VALUES (?, ?, ?)')
  const back = connection.prepare(
    'UPDATE attempts SET count = count - 1 WHERE name = ? AND until = ? AND count > 0',
  )
  // Also deletes names that begin with this name and a space: in ASCII, "!" follows the space. The primary key serves as the index.
  const clear = connection.prepare(
    "DELETE FROM attempts WHERE name = ?1 OR (name >= ?1 || ' ' AND name < ?1 || '!')",
  )
  const purgeOver = connection.prepare(
    'DELETE FROM attempts WHERE name IN (SELECT name FROM attempts WHERE until <= ? ORDER BY until LIMIT ?)',
  )
  const atomically = <T>(work: () => T) => inTransaction(connection, 'BEGIN IMMEDIATE', work)

  function count(counts: readonly AttemptCount[], at: Instant): AttemptOutcome {
    // Each call removes old counts, so that the table contains only the counts of about one window.
    purgeOver.run(at, 2 * counts.length)
    const found = counts.map(({ name, limit }) => ({
      name,
      most: limit.count,
      row: find.get(name, at) ?? ([0, at + limit.window] as const),
    }))
    const full = found.filter(({ most, row: [used] }) => used >= most)
    if (full.length > 0) return { kind: 'refused', until: Math.max(...full.map(({ row }) => row[1])) }
    for (const { name, row } of found) put.run(name, row[0] + 1, row[1])
    return { kind: 'taken', attempt: { counts: found.map(({ name, row }) => ({ name, until: row[1] })) } }
  }

  return {
    isThere,
    probe: () => connection.exec('PRAGMA user_version = 1'),
    take: (counts: readonly AttemptCount[], at: Instant) => atomically(() => count(counts, at)),
    refund: ({ counts }: Attempt) =>
      atomically(() => {
        for (const { name, until } of counts) back.run(name, until)
      }),
    clear: (names: readonly string[]) =>
      atomically(() => {
        for (const name of names) clear.run(name)
      }),
    purge: (at: Instant, limit: number) => purgeOver.run(at, limit).changes,
    close: () => {
      emptyLog(connection)
      connection.close()
    },
  }
}
