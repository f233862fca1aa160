import pLimit from 'p-limit'
import { refuse } from '../../domain/refusal.js'

/** Runs work with bounded concurrency and a bounded queue. */
export type HashPool = {
  /** Rejects with a Refusal `overloaded`, and does not start the work, where the queue is full now. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** At most `concurrency` at once, at most `queue` waiting. */
export function createHashPool({ concurrency, queue }: { concurrency: number; queue: number }): HashPool {
  const limit = pLimit(concurrency)
  return {
    run: async (work) => {
      if (limit.activeCount + limit.pendingCount >= concurrency + queue) throw overloaded()
      return await limit(work)
    },
  }
}

function overloaded() {
  return refuse('overloaded', 'TooMany', 'Too many requests at once, try again shortly.', 'hash queue full')
}
