import { unavailable } from '../domain/refusal.js'

/** Creates a gate; calls made after `close` are refused, with the message `closed`. */
export function createClosingGate(closed: string) {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  /** Throws an `unavailable` Refusal after `close`. */
  function assertOpen(): void {
    if (closing) throw unavailable(closed)
  }

  return {
    isClosed: () => closing !== undefined,
    assertOpen,
    /** Runs `work`; `close` waits until `work` has ended. Rejects with an `unavailable` Refusal after `close`. */
    pass: async <T>(work: () => Promise<T>): Promise<T> => {
      assertOpen()
      const answer = work()
      underWay.add(answer)
      try {
        return await answer
      } finally {
        underWay.delete(answer)
      }
    },
    /** Waits for running calls, and then runs `work`. Only the first call runs its `work`. */
    close: (work: () => Promise<void>): Promise<void> =>
      (closing ??= (async () => {
        await Promise.allSettled(underWay)
        await work()
      })()),
  }
}
