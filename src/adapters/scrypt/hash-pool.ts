import pLimit from 'p-limit'
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
  const limit = pLimit(concurrency)
  const tellWaiting = () => metrics?.hashesWaiting?.(limit.pendingCount)
  return {
    run: async (work) => {
      if (limit.activeCount + limit.pendingCount >= concurrency + queue) {
        metrics?.hashRefused?.()
        throw overloaded()
      }
      const asked = performance.now()
      const computed = limit(async () => {
        tellWaiting()
        const begun = performance.now()
        const answer = await work()
        metrics?.hashComputed?.({ waited: begun - asked, took: performance.now() - begun })
        return answer
      })
      tellWaiting()
      return await computed
    },
  }
}

function overloaded() {
  return refuse('overloaded', 'TooMany', 'Too many requests at once, try again shortly.', 'hash queue full')
}
