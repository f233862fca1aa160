import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Milliseconds } from '../../domain/instant.js'
import type { PasswordVerification, VerificationCache } from '../../ports/password-hasher.js'

/** Times are in milliseconds. */
type VerificationCacheOptions = {
  /** The number of cached pairs, 1,000 by default; the least recently used pair goes first. */
  readonly size?: number
  /** How long a pair is cached after its computation, 5 minutes by default. Use does not extend it. */
  readonly lifetime?: Milliseconds
  /** A monotonic clock: a wall clock that is set back would extend the lifetime. */
  readonly now: () => number
}

/**
 * Caches verified pairs of password and hash, for HTTP Basic. A cached success takes microseconds, so do not
 * use it if time must reveal nothing. The cache holds a digest of each pair with a random secret of this process,
 * never a password.
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

/** A digest with a secret, so that a memory dump is useless after the process has ended. It costs half of an HMAC. */
function createPairNames(): (pair: Pick<PasswordVerification, 'password' | 'hash'>) => string {
  const secret = randomBytes(32).toString('base64url')
  // The length shows the end of the password. An absent hash never verifies.
  return ({ password, hash: stored = '' }) =>
    hash('sha256', `${secret}${password.length} ${password}${stored}`, 'base64url')
}
