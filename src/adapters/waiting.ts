import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../domain/instant.js'
import { isRefusal, transient, type Refusal } from '../domain/refusal.js'

/** Options for waiting until a server is usable. */
export type Waiting = {
  /** Maximum total waiting time; if it is 0, opening fails immediately. */
  readonly limit: Milliseconds
  /** Maximum duration of one attempt; an attempt begins only if it can end within the total time. */
  readonly attempt: Milliseconds
  /** Called when waiting begins and when the reason for waiting changes. */
  readonly onWait: (reason: string) => void
  /** Returns whether another attempt may succeed. */
  readonly mayHelp: (refusal: Refusal) => boolean
}

const PAUSE = 500

/** Repeats `work` as long as waiting may help; rejects with the last error. */
export async function withRetries<T>(work: () => Promise<T>, waiting: Waiting): Promise<T> {
  const { limit, attempt, onWait, mayHelp } = waiting
  const lastStart = performance.now() + limit - attempt
  let reported: string | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const reason = isRefusal(error) && mayHelp(error) ? error.detail : undefined
      if (reason === undefined || performance.now() + PAUSE > lastStart) throw error
      if (reason !== reported) onWait(reason)
      reported = reason
      await pause(PAUSE)
    }
  }
}

/**
 * If `work` exceeds the timeout, rejects with an `unavailable` Refusal that names the server, because a driver may limit each step but not
 * a whole call. `work` continues after the timeout and may still write.
 */
export async function within<T>(timeout: Milliseconds, work: Promise<T>, server: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(transient(`The ${server} server did not answer in time.`)), timeout)
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
