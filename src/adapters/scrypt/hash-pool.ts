import { refuse } from '../../domain/refusal.js'
import type { Metrics } from '../../ports/metrics.js'
import type { PasswordHasher, VerifyFound } from '../../ports/passwords.js'

export type HashPool = {
  /** Rejects with an `overloaded` Refusal if the queue is full, without starting `work`. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export type HashMetrics = Pick<Metrics, 'hashesWaiting' | 'hashComputed' | 'hashRefused'>

export type HashPoolOptions = {
  readonly concurrency: number
  readonly queue: number
  readonly metrics?: Partial<HashMetrics> | undefined
}

/** Creates a pool that runs at most `concurrency` tasks at a time, with at most `queue` waiting tasks. */
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
  // The next waiting caller takes over the slot, so that no other call can take it first.
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  return {
    run: async (work) => {
      if (running + waiting.length >= concurrency + queue) {
        metrics?.hashRefused?.()
        throw refuse('overloaded', 'TooMany', 'Too many requests, try again shortly.', 'hash queue full')
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

/** Maximum number of waiting verifications. */
const WAITING = 16

type BoundedVerificationOptions = {
  /** The concurrency of the hasher. The limited callers may use half of the concurrency, but always at least one hash at a time. */
  readonly concurrency: number
  readonly metrics?: Pick<HashMetrics, 'hashRefused'> | undefined
}

/**
 * Limits verifications that must not displace other hashes: they use at most half of the hasher's concurrency, and reject with an
 * `overloaded` Refusal if 16 calls are waiting. If the hasher runs only one hash at a time, at most one limited call waits in its queue, so
 * that other callers do not wait long.
 */
export function boundVerifications(
  hasher: PasswordHasher,
  { concurrency, metrics }: BoundedVerificationOptions,
): VerifyFound {
  const half = Math.max(1, Math.floor(concurrency / 2))
  // The hasher's own pool already reports the hashes.
  const refusals = metrics && { hashRefused: () => metrics.hashRefused() }
  const pool = createHashPool({ concurrency: half, queue: WAITING, metrics: refusals })
  return (password, find, sent) => pool.run(async () => await hasher.verify(password, await find(), sent))
}
