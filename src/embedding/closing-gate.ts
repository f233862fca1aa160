import { unavailable } from '../domain/refusal.js'

/** What stands before calls: it is open until it is closed. */
export type ClosingGate = {
  readonly isClosed: () => boolean
  /** Throws `unavailable` once it is closed. */
  readonly assertOpen: () => void
  /** Works while it is open; `close` waits for it. */
  readonly pass: <T>(work: () => Promise<T>) => Promise<T>
  /** Waits for calls under way, then works. Twice is fine: the work is done once. */
  readonly close: (work: () => Promise<void>) => Promise<void>
}

/** `closed` is the detail of the refusal that every later call gets. */
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
