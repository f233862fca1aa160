import { refuse } from '../../domain/refusal.js'
import type { Metrics } from '../../ports/metrics.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'

/** Runs work with bounded concurrency and a bounded queue. */
export type HashPool = {
  /** Rejects with a Refusal `overloaded`, without starting the work, if the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** The metrics of the queue. */
export type HashMetrics = Pick<Metrics, 'hashesWaiting' | 'hashComputed' | 'hashRefused'>

/** The limits of the pool, and its metrics. */
export type HashPoolOptions = {
  readonly concurrency: number
  readonly queue: number
  readonly metrics?: Partial<HashMetrics> | undefined
}

/** Runs at most `concurrency` pieces of work concurrently, with at most `queue` waiting. */
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
  // The next caller takes the place over: no other call may come between.
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

/** Verifications that may wait for a running one. */
const WAITING = 16

/** Options for a hasher that is shared with other callers. */
type BoundedVerificationOptions = {
  /** Hashes that the hasher computes concurrently; half of them, at least one, may be verifications. */
  readonly concurrency: number
  readonly metrics?: Pick<HashMetrics, 'hashRefused'> | undefined
}

/**
 * The same hasher for callers who must not crowd out others: at most half of its workers verify for these callers and 16
 * calls wait, beyond which `verify` rejects with a Refusal `overloaded`. With a single worker, only one call of these
 * callers at a time is in its queue, so that other callers who came meanwhile are served before the next call.
 */
export function boundVerifications(
  hasher: PasswordHasher,
  { concurrency, metrics }: BoundedVerificationOptions,
): PasswordHasher {
  const half = Math.max(1, Math.floor(concurrency / 2))
  const pool = createHashPool({ concurrency: half, queue: WAITING, metrics })
  return { ...hasher, verify: (password, hash) => pool.run(() => hasher.verify(password, hash)) }
}
