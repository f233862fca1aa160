import type { Milliseconds } from '../../domain/instant.js'
import { isRefusal } from '../../domain/refusal.js'

/** Between two attempts to write again, so that frequent questions cost nothing. */
const INTERVAL: Milliseconds = 1_000

/** Notes whether the last write succeeded. */
type LastWrite = {
  /** Does a write and notes how it ended. A refusal for another reason than `unavailable` is no failure of the write. */
  readonly noted: <T>(write: () => Promise<T>) => Promise<T>
  /** Resolves if the last write did not fail, or if `probe` succeeds now; rejects with the failure otherwise. */
  readonly assertDone: () => Promise<void>
}

/** `probe` writes something that changes nothing. It is called at most once a second, and only after a failure. */
export function createLastWrite(
  probe: () => Promise<unknown>,
  now: () => Milliseconds = () => performance.now(),
): LastWrite {
  let failure: { readonly error: unknown } | undefined
  let probedAt = -Infinity

  async function noted<T>(write: () => Promise<T>): Promise<T> {
    try {
      const answer = await write()
      failure = undefined
      return answer
    } catch (error) {
      if (!isRefusal(error) || error.code === 'unavailable') failure = { error }
      throw error
    }
  }

  return {
    noted,
    assertDone: async () => {
      if (!failure) return
      if (now() < probedAt + INTERVAL) throw failure.error
      probedAt = now()
      await noted(probe)
    },
  }
}
