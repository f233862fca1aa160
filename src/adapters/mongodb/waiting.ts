import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import { isRefusal, type Refusal } from '../../domain/refusal.js'
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
