import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import { isRefusal, transient, type Refusal } from '../../domain/refusal.js'
import { isHopeless } from './errors.js'

/** Options for waiting until a server is usable. */
export type Waiting = {
  /** Maximum total waiting time; with 0, opening fails immediately. */
  readonly limit: Milliseconds
  /** Maximum duration of one attempt; an attempt begins only if it can end within the total time. */
  readonly attempt: Milliseconds
  /** Called when waiting begins and when the reason for waiting changes. */
  readonly onWait: (reason: string) => void
}

const PAUSE = 500

/** Repeats the work as long as waiting may help; rejects with the last error. */
export async function withRetries<T>(work: () => Promise<T>, waiting: Waiting): Promise<T> {
  const { limit, attempt, onWait } = waiting
  const lastStart = performance.now() + limit - attempt
  let reported: string | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const reason = isTransient(error) ? error.detail : undefined
      if (reason === undefined || performance.now() + PAUSE > lastStart) throw error
      if (reason !== reported) onWait(reason)
      reported = reason
      await pause(PAUSE)
    }
  }
}

function isTransient(error: unknown): error is Refusal {
  return isRefusal(error) && error.code === 'unavailable' && !isHopeless(error)
}

/**
 * Rejects with an `unavailable` Refusal if the work exceeds the timeout, because the driver limits each step but not a whole call. The work
 * continues after the timeout and may still write.
 */
export async function within<T>(timeout: Milliseconds, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(transient('The MongoDB server did not answer in time.')), timeout)
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
