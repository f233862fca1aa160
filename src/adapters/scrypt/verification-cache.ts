import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Milliseconds } from '../../domain/instant.js'
import type { PasswordVerification, VerificationCache } from '../../ports/verification-cache.js'

/** How much is kept, and for how long; times in milliseconds. */
type VerificationCacheOptions = {
  /** How many verified pairs are kept, 1,000 by default; the least recently used goes first. */
  readonly size?: number
  /** For how long after the computation, 5 minutes by default. No use extends it. */
  readonly lifetime?: Milliseconds
  /** Milliseconds that only go forward (a wall clock that is set back would prolong it). */
  readonly now: () => number
}

/**
 * A cache of verified pairs, for HTTP Basic. A changed hash is another pair. A success that is cached
 * answers in microseconds, so do not use it where time must tell nothing.
 *
 * What is kept is an HMAC of each pair under a random key of this process, never a password.
 */
export function createVerificationCache({
  size = 1_000,
  lifetime = 300_000,
  now,
}: VerificationCacheOptions): VerificationCache {
  const name = createPairNames()
  const goodUntil = new LRUCache<string, number>({ max: size })
  const underWay = new Map<string, Promise<boolean>>()

  const computed = async (pair: string, compute: () => Promise<boolean>): Promise<boolean> => {
    const fits = await compute()
    if (fits) goodUntil.set(pair, now() + lifetime)
    return fits
  }

  const share = (key: string, computation: Promise<boolean>): Promise<boolean> => {
    const shared = computation.finally(() => underWay.delete(key))
    underWay.set(key, shared)
    return shared
  }

  return async (verification, compute) => {
    const pair = name(verification)
    const until = goodUntil.get(pair)
    if (until !== undefined && now() < until) return true
    goodUntil.delete(pair)
    const key = `${pair} ${verification.scope}`
    return await (underWay.get(key) ?? share(key, computed(pair, compute)))
  }
}

/** Names a pair by an HMAC, so that a dump of the cache is of no use once the process is gone. */
function createPairNames(): (pair: Pick<PasswordVerification, 'password' | 'hash'>) => string {
  const key = randomBytes(32)
  return ({ password, hash }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([password, hash]))
      .digest('base64url')
}
