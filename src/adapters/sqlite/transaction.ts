import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import type { Connection } from './driver.js'
import { asRefusal, isBusy } from './errors.js'

/** Each step throws the error of the driver. */
export type TransactionSteps = { begin(): unknown; commit(): unknown; rollback(): unknown }

export function stepsOf(connection: Connection, begin: 'BEGIN' | 'BEGIN IMMEDIATE'): TransactionSteps {
  return {
    begin: () => connection.exec(begin),
    commit: () => connection.exec('COMMIT'),
    rollback: () => connection.exec('ROLLBACK'),
  }
}

/** Throws the error of the work; then nothing was changed. */
export function inTransaction<T>(steps: TransactionSteps, work: () => T): T {
  steps.begin()
  try {
    const result = work()
    steps.commit()
    return result
  } catch (error) {
    try {
      steps.rollback()
    } catch {
      // On a full disk SQLite has rolled back already; the first error counts.
    }
    throw error
  }
}

/** How to wait for the lock of another process. */
export type Retry = {
  /** How long one attempt may block the event loop. */
  readonly busyTimeout: Milliseconds
  /** How long all attempts together may take. */
  readonly total: Milliseconds
}

/** Longer than an attempt blocks the event loop. */
export const RETRY_PAUSE: Milliseconds = 25

/** Whether another attempt would end before the deadline. */
export function hasTimeLeft(deadline: number, { busyTimeout }: Retry): boolean {
  return performance.now() + RETRY_PAUSE + busyTimeout < deadline
}

/**
 * Repeats the work while the file is locked. Rejects with a Refusal `unavailable` after the timeout, or with
 * the error of the work.
 */
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
