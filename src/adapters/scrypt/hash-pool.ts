import { refuse } from '../../domain/refusal.js'
import type { Metrics } from '../../ports/metrics.js'

/** Runs work with bounded concurrency and a bounded queue. */
export type HashPool = {
  /** Rejects with a Refusal `overloaded`, and does not start the work, where the queue is full now. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** What is told of the queue. */
export type HashMetrics = Pick<Metrics, 'hashesWaiting' | 'hashComputed' | 'hashRefused'>

/** How much is let in, and who is told of it. */
export type HashPoolOptions = {
  readonly concurrency: number
  readonly queue: number
  readonly metrics?: Partial<HashMetrics> | undefined
}

/** At most `concurrency` at once, at most `queue` waiting. */
export function createHashPool({ concurrency, queue, metrics }: HashPoolOptions): HashPool {
  const waiting: (() => void)[] = []
  let running = 0
  const tellWaiting = () => metrics?.hashesWaiting?.(waiting.length)
  const turn = async () => {
    if (running >= concurrency) {
      const begin = new Promise<void>((resolve) => waiting.push(resolve))
      tellWaiting()
      await begin
    } else running += 1
    tellWaiting()
  }
  // The next one takes the place over: between the two no other call may.
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  return {
    run: async (work) => {
      if (running + waiting.length >= concurrency + queue) {
        metrics?.hashRefused?.()
        throw overloaded()
      }
      const asked = performance.now()
      await turn()
      try {
        const begun = performance.now()
        const answer = await work()
        metrics?.hashComputed?.({ waited: begun - asked, took: performance.now() - begun })
        return answer
      } finally {
        leave()
      }
    },
  }
}

function overloaded() {
  return refuse('overloaded', 'TooMany', 'Too many requests at once, try again shortly.', 'hash queue full')
}
