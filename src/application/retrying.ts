import type { Milliseconds } from '../domain/instant.js'
import { isTransient } from '../domain/refusal.js'
import { wrapPort } from './wrap-port.js'

/**
 * Repeats a call of a store that was too slow. For calls of long tasks that may be made twice; without it the first error
 * ends the task.
 */
export type Retrying = <T>(call: () => Promise<T>) => Promise<T>

export type WithRetrying = { retrying?: Retrying | undefined }

/** How long a store may answer nothing at all before a long task ends. */
export const STALL_LIMIT: Milliseconds = 5 * 60_000
/** The delay between two tries, so that a store that refuses immediately is not asked in a loop. */
const PAUSE: Milliseconds = 1_000

/** The clock and the timer of a long task, and the operator who waits for it. */
export type Waiting = {
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => Milliseconds
  /** May resolve early if the task is to stop. */
  readonly pause: (duration: Milliseconds) => Promise<void>
  readonly isStopped: () => boolean
  /** Called once for a task, with the reason of the first wait. */
  readonly onSlow: (reason: string) => void
}

/** The waits of one long task. */
export type Retries = {
  answered(): void
  /**
   * Waits before the same call is made again. Rejects with the error if the reason does not pass, the task is to stop,
   * or the store has answered nothing for `STALL_LIMIT`.
   */
  waitAfter(error: unknown): Promise<void>
}

export function createRetries({ now, pause, isStopped, onSlow }: Waiting): Retries {
  let unansweredSince: Milliseconds | undefined
  let isReported = false
  return {
    answered: () => {
      unansweredSince = undefined
    },
    async waitAfter(error) {
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

/** The same port; every call is repeated if the store was too slow, so all calls may be made twice. */
export function retried<Port extends object>(port: Port, retrying: Retrying | undefined): Port {
  if (!retrying) return port
  return wrapPort(
    port,
    (call) =>
      (...args) =>
        retrying(async () => await call(...args)),
  )
}
