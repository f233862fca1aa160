import type { Retrying } from '../../src/application/retrying.js'
import { transient } from '../../src/domain/refusal.js'

/** The error of a store that is too slow. */
export const SLOW = transient('The store did not answer in time.')

/** Repeats a call that is too slow, up to a thousand times. */
export const retrying: Retrying = async (call) => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      if (error !== SLOW || tries === 1_000) throw error
    }
  }
}
