import type { Milliseconds } from '../domain/instant.js'
import { isRefusal } from '../domain/refusal.js'

/** The minimum time between two probes, so that frequent calls cost nothing. */
const INTERVAL: Milliseconds = 1_000

export type LastWrite = ReturnType<typeof createLastWrite>

type LastWriteOptions = {
  /** A write that leaves all data unchanged. Called at most once a second, and only after a failure. */
  readonly probe: () => Promise<unknown>
  readonly now: () => Milliseconds
  readonly isFailure?: (error: unknown) => boolean
  /**
   * Returns whether only a successful probe proves that the failure is over, because other writes may succeed in the meantime; `false` by
   * default.
   */
  readonly isLasting?: (error: unknown) => boolean
}

/** Records whether the last write succeeded, for the stores' `ready`. */
export function createLastWrite(options: LastWriteOptions) {
  const { probe, now, isFailure = couldNotWrite, isLasting = () => false } = options
  let failure: { readonly error: unknown } | undefined
  let probedAt = -Infinity

  async function recordOutcome<T>(write: () => Promise<T>): Promise<T> {
    try {
      const answer = await write()
      if (write === probe || !isLasting(failure?.error)) failure = undefined
      return answer
    } catch (error) {
      if (isFailure(error)) failure = { error }
      throw error
    }
  }

  return {
    noted: recordOutcome,
    /** Resolves if the last write did not fail or if the probe succeeds now; otherwise rejects with the failure. */
    assertDone: async (): Promise<void> => {
      if (!failure) return
      if (now() < probedAt + INTERVAL) throw failure.error
      probedAt = now()
      await recordOutcome(probe)
    },
  }
}

function couldNotWrite(error: unknown): boolean {
  return !isRefusal(error) || error.code === 'unavailable'
}
