import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import type { Connection } from './driver.js'
import { asRefusal, isBusy } from './errors.js'

/** How a transaction begins and ends; each throws the driver's error. */
export type TransactionSteps = { begin(): unknown; commit(): unknown; rollback(): unknown }

/** The steps of a connection that does not prepare them. */
export function stepsOf(connection: Connection, begin: 'BEGIN' | 'BEGIN IMMEDIATE'): TransactionSteps {
  return {
    begin: () => connection.exec(begin),
    commit: () => connection.exec('COMMIT'),
    rollback: () => connection.exec('ROLLBACK'),
  }
}

/** Does synchronous work in one transaction. Throws the error of the work, and then nothing was changed. */
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
      // SQLite has rolled back by itself, because the disk is full or fails; the first error is the error to report.
    }
    throw error
  }
}

/** How to wait for a lock that another process holds. */
export type Retry = {
  /** How long one attempt may block the event loop. */
  readonly busyTimeout: Milliseconds
  /** How long all attempts together may take before the answer is `unavailable`. */
  readonly total: Milliseconds
}

/** The event loop is free between two attempts, for longer than an attempt blocks it. */
export const RETRY_PAUSE: Milliseconds = 25

/** True while another attempt would still end before the deadline. */
export function hasTimeLeft(deadline: number, { busyTimeout }: Retry): boolean {
  return performance.now() + RETRY_PAUSE + busyTimeout < deadline
}

/**
 * Does the work, and repeats it while it finds the file locked. Rejects with a Refusal
 * `unavailable` within the timeout, or with the error that the work met.
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
