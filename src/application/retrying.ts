import type { Milliseconds } from '../domain/instant.js'
import { isTransient } from '../domain/refusal.js'
import { wrapPort } from './wrap-port.js'

/**
 * Repeats a call for which the store was too slow; a long task may thus make a call twice. Without retries, the first error ends the task.
 */
export type Retrying = <T>(call: () => Promise<T>) => Promise<T>

/** How long a store may stay unresponsive before a long task gives up. */
export const STALL_LIMIT: Milliseconds = 5 * 60_000
/** The delay between two attempts, so that a store that refuses calls immediately is not called in a tight loop. */
const PAUSE: Milliseconds = 1_000

/** The clock and timer of a long task, and callbacks that inform the waiting operator. */
export type Waiting = {
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly now: () => Milliseconds
  /** May resolve early if the task should stop. */
  readonly pause: (duration: Milliseconds) => Promise<void>
  readonly isStopped: () => boolean
  /** Called once per task, with the reason for the first wait. */
  readonly onSlow: (reason: string) => void
}

export type Retries = ReturnType<typeof createRetries>

/** Delays and limits the retries of one long task. */
export function createRetries({ now, pause, isStopped, onSlow }: Waiting) {
  let unansweredSince: Milliseconds | undefined
  let isReported = false
  return {
    answered: (): void => {
      unansweredSince = undefined
    },
    /**
     * Waits before a call is repeated. Rejects with the error if the cause of the error is not temporary, if the task should stop, or if the
     * store has not responded for `STALL_LIMIT`.
     */
    waitAfter: async (error: unknown): Promise<void> => {
      if (!isTransient(error) || isStopped()) throw error
      unansweredSince ??= now()
      if (now() - unansweredSince >= STALL_LIMIT) throw error
      if (!isReported) onSlow(error.detail ?? error.message)
      isReported = true
      await pause(PAUSE)
      if (isStopped()) throw error
    },
  }
}

export function createRetrying(retries: Retries): Retrying {
  return async (call) => {
    for (;;) {
      try {
        const answer = await call()
        retries.answered()
        return answer
      } catch (error) {
        await retries.waitAfter(error)
      }
    }
  }
}

/** Wraps the port to repeat calls for which the store was too slow; any call may therefore be made twice. */
export function retryCalls<Port extends object>(port: Port, retrying: Retrying | undefined): Port {
  if (!retrying) return port
  return wrapPort(
    port,
    (call) =>
      (...args) =>
        retrying(async () => await call(...args)),
  )
}
