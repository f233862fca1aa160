import { existsSync } from 'node:fs'
import { createLastWrite } from '../../application/last-write.js'
import type { Instant, Milliseconds } from '../../domain/instant.js'
import { isRefusal, unavailable } from '../../domain/refusal.js'
import type { Attempt, AttemptCount, AttemptLimiter, AttemptOutcome } from '../../ports/attempt-limiter.js'
import { connect, emptyLog, type Connection } from './driver.js'
import { asRefusal, isDamaged } from './errors.js'
import { makeFile, removeDatabase, watchFile } from './file.js'
import { whileBusy, type Retry } from './retry.js'
import { inTransaction } from './transaction.js'

/** Another process has the file for microseconds only. */
const RETRY: Retry = { busyTimeout: 20, total: 5_000 }

/**
 * These counts may be lost with a power failure, so they are never waited for: a file of their
 * own beside the other one, which is made when the first attempt is counted. A write of theirs
 * then neither costs a commit to the disk nor makes the store forget its rows.
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
  /** Rejects with `unavailable` after attempts could not be counted, until they can be. */
  ready(): Promise<void>
  /** Resolves when the file is closed. */
  close(): Promise<void>
}

/**
 * Counts of attempts in the file `<path>-attempts`, shared by every process that has the store open. A damaged file is
 * replaced by an empty one, since a service that cannot count lets no login through.
 */
export function createAttempts(path: string, onRecreated: () => void = () => undefined): Attempts {
  const file = fileOf(path)
  let opening: Promise<Counting> | undefined
  let closed = false

  /** What failed once, for want of descriptors or space, may be there the next time. */
  async function openedOnce(): Promise<Counting> {
    try {
      return await openCounting(file)
    } catch (error) {
      opening = undefined
      throw error
    }
  }

  async function open(): Promise<Counting> {
    const used = (opening ??= openedOnce())
    const counting = await used
    if (counting.isThere()) return counting
    // Another process has replaced the file.
    if (opening === used) void forget(used)
    return await (opening ??= openedOnce())
  }

  async function forget(used: Promise<Counting> | undefined): Promise<void> {
    opening = undefined
    await used?.then(({ close }) => close()).catch(() => undefined)
  }

  async function attempt<T>(work: (counting: Counting) => T): Promise<T> {
    const counting = await open()
    return await whileBusy(RETRY, () => work(counting))
  }

  async function inFile<T>(work: (counting: Counting) => T): Promise<T> {
    if (closed) throw unavailable('The store is closed.')
    const used = opening
    try {
      return await attempt(work)
    } catch (error) {
      if (!isDamaged(isRefusal(error) ? error.cause : error)) throw asRefusal(error)
    }
    // Unless another call has replaced the file already. Nothing is waited for in between.
    if (opening === undefined || opening === used) {
      void forget(opening)
      removeDatabase(file)
      onRecreated()
    }
    return await attempt(work).catch((error: unknown) => {
      throw asRefusal(error)
    })
  }

  const lastWrite = createLastWrite({ probe: () => inFile(({ probe }) => probe()), now })
  const write = <T>(work: (counting: Counting) => T) => lastWrite.noted(() => inFile(work))
  return {
    take: (counts, at) => write(({ take }) => take(counts, at)),
    refund: (attempt) => write(({ refund }) => refund(attempt)),
    // Where nothing was ever counted there is no file to be made for it.
    purge: async (at, limit) =>
      opening || closed || existsSync(file) ? await write(({ purge }) => purge(at, limit)) : 0,
    ready: lastWrite.assertDone,
    close: async () => {
      closed = true
      await forget(opening)
    },
  }
}

const now = () => performance.now()

function fileOf(path: string): string {
  return `${path}-attempts`
}

type Counting = Awaited<ReturnType<typeof openCounting>>
type Row = readonly [count: number, until: Instant]

async function openCounting(path: string) {
  makeFile(path)
  const connection = await connect(path)
  try {
    await whileBusy(RETRY, () => {
      connection.exec(`PRAGMA busy_timeout = ${RETRY.busyTimeout};${PREPARATION}`)
    })
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
  const purgeOver = connection.prepare(
    'DELETE FROM attempts WHERE name IN (SELECT name FROM attempts WHERE until <= ? ORDER BY until LIMIT ?)',
  )
  const steps = {
    begin: () => connection.exec('BEGIN IMMEDIATE'),
    commit: () => connection.exec('COMMIT'),
    rollback: () => connection.exec('ROLLBACK'),
  }

  function count(counts: readonly AttemptCount[], at: Instant): AttemptOutcome {
    // Adding counts removes old ones, so that there are never more than a window makes.
    purgeOver.run(at, 2 * counts.length)
    const found = counts.map(({ name, limit }) => ({
      name,
      most: limit.count,
      row: find.get(name, at) ?? freshRow(at, limit.window),
    }))
    const full = found.filter(({ most, row: [used] }) => used >= most)
    if (full.length > 0) return { kind: 'refused', until: Math.max(...full.map(({ row }) => row[1])) }
    for (const { name, row } of found) put.run(name, row[0] + 1, row[1])
    return { kind: 'taken', attempt: { counts: found.map(({ name, row }) => ({ name, until: row[1] })) } }
  }

  return {
    isThere,
    /** A commit that changes nothing. */
    probe: () => connection.exec('PRAGMA user_version = 1'),
    take: (counts: readonly AttemptCount[], at: Instant) => inTransaction(steps, () => count(counts, at)),
    refund: ({ counts }: Attempt) =>
      inTransaction(steps, () => {
        for (const { name, until } of counts) back.run(name, until)
      }),
    purge: (at: Instant, limit: number) => purgeOver.run(at, limit).changes,
    close: () => {
      emptyLog(connection)
      connection.close()
    },
  }
}

function freshRow(at: Instant, window: Milliseconds): Row {
  return [0, at + window]
}
