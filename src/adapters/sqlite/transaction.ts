import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import type { Connection } from './driver.js'
import { asRefusal, isBusy } from './errors.js'

/** The steps of a transaction; each step throws the driver's error. */
export type TransactionSteps = { begin(): unknown; commit(): unknown; rollback(): unknown }

export function stepsOf(connection: Connection, begin: 'BEGIN' | 'BEGIN IMMEDIATE'): TransactionSteps {
  return {
    begin: () => connection.exec(begin),
    commit: () => connection.exec('COMMIT'),
    rollback: () => connection.exec('ROLLBACK'),
  }
}

/** Runs `work` in a transaction; if `work` throws, nothing is changed and the error is thrown. */
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

/** Limits for waiting until another process releases its lock. */
export type Retry = {
  /** The longest time that one attempt may block the event loop. */
  readonly busyTimeout: Milliseconds
  /** Maximum time for all attempts together. */
  readonly total: Milliseconds
}

/** Pause between attempts; it must be longer than an attempt may block the event loop. */
export const RETRY_PAUSE: Milliseconds = 25

/** Returns whether another attempt would end before the deadline. */
export function hasTimeLeft(deadline: number, { busyTimeout }: Retry): boolean {
  return performance.now() + RETRY_PAUSE + busyTimeout < deadline
}

/**
 * Retries while the file is locked. Rejects with an `unavailable` Refusal after the timeout, and immediately if `work` fails for a
 * different reason.
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
