import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Milliseconds } from '../../domain/instant.js'
import type { PasswordHash } from '../../domain/identity/password.js'
import type { PasswordVerification, VerificationCache } from '../../ports/passwords.js'

/** Options of the verification cache, with times in milliseconds. */
type VerificationCacheOptions = {
  /** Maximum number of cached matches, 1,000 by default; the least recently used match is removed first. */
  readonly size?: number
  /** How long a match is cached after it was computed, 5 minutes by default. Using a match does not extend its lifetime. */
  readonly lifetime?: Milliseconds
  /** A monotonic clock, because a wall clock that is set back would extend the lifetime. */
  readonly now: () => number
}

/**
 * Creates a cache of successful password verifications, for HTTP Basic authentication. A cached success takes microseconds, so do not use
 * the cache if the response time must reveal nothing. The cache stores a digest of the password, the name and a random secret of this
 * process, but never the password itself.
 */
export function createVerificationCache({
  size = 1_000,
  lifetime = 300_000,
  now,
}: VerificationCacheOptions): VerificationCache {
  const keyOf = createKeys()
  const matches = new LRUCache<string, { readonly hash: PasswordHash; readonly until: number }>({ max: size })
  const underWay = new Map<string, Promise<VerificationResult>>()

  const computeAndCache = async <Result extends VerificationResult>(
    key: string,
    compute: () => Promise<Result>,
  ): Promise<Result> => {
    const result = await compute()
    if (result.hash !== undefined) matches.set(key, { hash: result.hash, until: now() + lifetime })
    return result
  }

  return {
    matched: (verification) => {
      const key = keyOf(verification)
      const match = matches.get(key)
      if (match === undefined || now() < match.until) return match?.hash
      matches.delete(key)
      return undefined
    },
    share: async <Result extends VerificationResult>(
      verification: PasswordVerification,
      compute: () => Promise<Result>,
    ) => {
      const key = keyOf(verification)
      const shared = `${key} ${verification.scope}`
      const running = underWay.get(shared) as Promise<Result> | undefined
      if (running) return await running
      const begun = computeAndCache(key, compute).finally(() => underWay.delete(shared))
      underWay.set(shared, begun)
      return await begun
    },
  }
}

type VerificationResult = { readonly hash?: PasswordHash | undefined }

/**
 * The digest includes a secret, so that a memory dump is useless after the process has ended. A plain hash costs half as much as an HMAC.
 */
function createKeys(): (verification: Pick<PasswordVerification, 'password' | 'name'>) => string {
  const secret = randomBytes(32).toString('base64url')
  // The length makes the concatenation unambiguous, because it shows where the password ends.
  return ({ password, name }) => hash('sha256', `${secret}${password.length} ${password}${name}`, 'base64url')
}
