import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import { isRefusal, transient, type Refusal } from '../../domain/refusal.js'
import { isHopeless } from './errors.js'

/** How long to wait for a server that cannot be used yet. */
export type Waiting = {
  /** The whole time; 0 to fail immediately. */
  readonly limit: Milliseconds
  /** The longest duration of one try: no try begins that could not end in time. */
  readonly oneTry: Milliseconds
  /** Called when the wait begins and whenever its reason changes. */
  readonly onWait: (reason: string) => void
}

const PAUSE = 500

/** Repeats the work while waiting may help; rejects with the last error. */
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
 * Rejects with a Refusal `unavailable` if the work takes longer: the driver limits each step but no whole call.
 * The work continues, and may still write, as after any lost answer.
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
