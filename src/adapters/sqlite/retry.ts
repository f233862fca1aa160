import { setTimeout as pause } from 'node:timers/promises'

import type { Milliseconds } from '../../domain/instant.js'
import { asRefusal, isBusy } from './errors.js'

/** How to wait for a lock that another process holds. */
export type Retry = {
  /** How long one attempt may block the event loop. */
  readonly busyTimeout: Milliseconds
  /** After this long, all attempts together, the answer is `unavailable`. */
  readonly total: Milliseconds
}

/** Between two attempts, in which the event loop is free: longer than an attempt blocks it. */
export const RETRY_PAUSE: Milliseconds = 25

/** True while another attempt would still end before the deadline. */
export function hasTimeLeft(deadline: number, timeout: Retry): boolean {
  return performance.now() + RETRY_PAUSE + timeout.busyTimeout < deadline
}

/**
 * Does the work, and again for as long as it finds the file locked. Rejects with a Refusal
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
