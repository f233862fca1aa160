import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import type { Connection } from './driver.js'
import { asRefusal, isBusy } from './errors.js'

type Executing = Pick<Connection, 'exec'>

/** Runs `work` in a transaction; if `work` throws, nothing is changed and the error is thrown. */
export function inTransaction<T>({ exec }: Executing, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
  exec(begin)
  try {
    const result = work()
    exec('COMMIT')
    return result
  } catch (error) {
    try {
      exec('ROLLBACK')
    } catch {
      // On a full disk SQLite has rolled back already; the first error counts.
    }
    throw error
  }
}

/** Limits for waiting until another process releases its lock. */
export type Retry = {
  /** The longest time that one attempt may block the event loop. */
  readonly busyTimeout: Milliseconds
  readonly total: Milliseconds
}

/** Pause between attempts; it must be longer than an attempt may block the event loop. */
const RETRY_PAUSE: Milliseconds = 25

function hasTimeLeft(deadline: number, { busyTimeout }: Retry): boolean {
  return performance.now() + RETRY_PAUSE + busyTimeout < deadline
}

/** Retries while the file is locked. Rejects with an `unavailable` Refusal after the timeout. */
export async function whileBusy<T>(timeout: Retry, work: () => T): Promise<T> {
  const deadline = performance.now() + timeout.total
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || !hasTimeLeft(deadline, timeout)) throw asRefusal(error)
    }
    await pause(RETRY_PAUSE)
  }
}

/**
 * Runs synchronous work in a transaction. Resolves after the commit, when the changes are durable. Rejects with the error that `work`
 * threw or with an `unavailable` Refusal; in both cases nothing was changed.
 */
export type Write = <T>(work: () => T) => Promise<T>

/** A larger batch would block the event loop for too long. */
const LARGEST_BATCH = 256

type PendingWrite = {
  readonly work: () => unknown
  readonly deadline: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/**
 * Commits the writes of one event loop turn together and in order, because each commit costs a write to the disk. A batch runs without
 * interruption, so no reader sees uncommitted data. Each write has its own savepoint, so a failed write does not affect other writes.
 * `assertReachable` is called before each batch; if it throws, nothing is written.
 */
export function createWrite(connection: Connection, timeout: Retry, assertReachable: () => void): Write {
  const queue: PendingWrite[] = []

  function flush(): void {
    const batch = queue.slice(0, LARGEST_BATCH)
    try {
      assertReachable()
      const outcomes = inTransaction(connection, 'BEGIN IMMEDIATE', () => attemptAll(connection, batch))
      queue.splice(0, batch.length)
      outcomes.forEach((outcome, index) => settle(batch[index], outcome))
    } catch (error) {
      if (isBusy(error)) {
        postpone(error)
        return
      }
      queue.splice(0, batch.length).forEach((one) => settle(one, { error }))
    }
    if (queue.length > 0) setImmediate(flush)
  }

  /** Nothing was committed, so all writes wait, except writes whose deadline has passed. */
  function postpone(error: unknown): void {
    const late = queue.findIndex((one) => hasTimeLeft(one.deadline, timeout))
    queue.splice(0, late === -1 ? queue.length : late).forEach((one) => settle(one, { error }))
    if (queue.length > 0) setTimeout(flush, RETRY_PAUSE)
  }

  return <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
      const deadline = performance.now() + timeout.total
      queue.push({ work, deadline, resolve, reject })
      if (queue.length === 1) setImmediate(flush)
    })
}

function settle(waiting: PendingWrite | undefined, outcome: Outcome): void {
  if ('error' in outcome) waiting?.reject(asRefusal(outcome.error))
  else waiting?.resolve(outcome.value)
}

/** If a batch with a single write fails, the whole transaction is rolled back. */
function attemptAll(connection: Executing, batch: readonly PendingWrite[]): readonly Outcome[] {
  const [first] = batch
  if (first && batch.length === 1) return [{ value: first.work() }]
  return batch.map(({ work }) => attempt(connection, work))
}

function attempt({ exec }: Executing, work: () => unknown): Outcome {
  exec('SAVEPOINT one_write')
  try {
    const value = work()
    exec('RELEASE one_write')
    return { value }
  } catch (error) {
    try {
      exec('ROLLBACK TO one_write; RELEASE one_write')
    } catch {
      // If the disk is full, SQLite rolls back the whole transaction, and every write fails.
      throw error
    }
    return { error }
  }
}

/** Number of rows in a slice; a slice takes less than a millisecond. */
export const SLICE_ROWS = 10
const PAUSE: Milliseconds = 5

type Writes = { readonly write: Write; readonly writeBack: () => Promise<void> }

export type Slice = { readonly looked: number; readonly gone: number }

/**
 * Removes at most `limit` rows in small slices and returns the number of removed rows. SQLite runs in the calling thread, so a transaction
 * delays every request of this process, and its lock delays writers in other processes; therefore the removal pauses after each slice,
 * which is one transaction. Each slice also copies the write-ahead log into the database file, because otherwise a single commit would have
 * to copy a thousand pages.
 *
 * Rows that are examined but not removed do not count toward `limit`, so the removal may take a long time; an aborted signal ends it after
 * the current slice.
 */
export async function removeInSlices(
  { write, writeBack }: Writes,
  limit: number,
  removeFirst: (limit: number) => Slice,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  while (removed < limit && !signal?.aborted) {
    const slice = Math.min(SLICE_ROWS, limit - removed)
    const { looked, gone } = await write(() => removeFirst(slice))
    removed += gone
    if (looked < slice) return removed
    await betweenSlices({ writeBack })
  }
  return removed
}

export async function betweenSlices({ writeBack }: Pick<Writes, 'writeBack'>): Promise<void> {
  await writeBack()
  await pause(PAUSE)
}

export function allOf({ changes }: { readonly changes: number }): Slice {
  return { looked: changes, gone: changes }
}
