import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import { isRefusal, transient, type Refusal } from '../../domain/refusal.js'
import { isHopeless } from './errors.js'

/** How to bear with a server that is not there yet. */
export type Waiting = {
  /** For how long in all; 0 for no wait. */
  readonly limit: Milliseconds
  /** How long one try takes at most: none begins that could not end in time. */
  readonly oneTry: Milliseconds
  /** Is told the reason when the wait begins, and again whenever it is another one. */
  readonly onWait: (reason: string) => void
}

const PAUSE = 500

/** Works again for as long as the server cannot be used and time may mend that; rejects as the last try did. */
export async function withRetries<T>(work: () => Promise<T>, waiting: Waiting): Promise<T> {
  const { limit, oneTry, onWait } = waiting
  const lastBegin = performance.now() + limit - oneTry
  let told: string | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const reason = isPassing(error) ? error.detail : undefined
      if (reason === undefined || performance.now() + PAUSE > lastBegin) throw error
      if (reason !== told) onWait(reason)
      told = reason
      await pause(PAUSE)
    }
  }
}

function isPassing(error: unknown): error is Refusal {
  return isRefusal(error) && error.code === 'unavailable' && !isHopeless(error)
}

/**
 * What the work comes to, or a Refusal `unavailable` when it has taken longer: the driver has
 * limits for each of its steps and none for a whole call. The work itself goes on; what it writes
 * may still be written, as with any answer that is lost on its way.
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
