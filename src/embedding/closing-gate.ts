import { unavailable } from '../domain/refusal.js'

export type ClosingGate = {
  readonly isClosed: () => boolean
  /** Throws an `unavailable` Refusal after `close`. */
  readonly assertOpen: () => void
  /** Runs `work`; `close` waits until `work` has ended. Rejects with an `unavailable` Refusal after `close`. */
  readonly pass: <T>(work: () => Promise<T>) => Promise<T>
  /** Waits for running calls, and then runs `work`. Only the first call runs its `work`. */
  readonly close: (work: () => Promise<void>) => Promise<void>
}

/** Creates a gate; calls made after `close` are refused, with the message `closed`. */
export function createClosingGate(closed: string): ClosingGate {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  function assertOpen(): void {
    if (closing) throw unavailable(closed)
  }

  return {
    isClosed: () => closing !== undefined,
    assertOpen,
    async pass(work) {
      assertOpen()
      const answer = work()
      underWay.add(answer)
      try {
        return await answer
      } finally {
        underWay.delete(answer)
      }
    },
    close: (work) =>
      (closing ??= (async () => {
        await Promise.allSettled(underWay)
        await work()
      })()),
  }
}
