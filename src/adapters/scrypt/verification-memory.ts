import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Password, PasswordHash } from '../../domain/identity/password.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'

/** How much is remembered, and for how long; times in milliseconds. */
export type VerificationMemoryOptions = {
  /** How many verified pairs are remembered, 1,000 by default; the least recently used goes first. */
  readonly size?: number
  /** For how long after the computation, 5 minutes by default. No use extends it. */
  readonly lifetime?: Milliseconds
  /** Milliseconds that only go forward (a wall clock that is set back would prolong the memory). */
  readonly now: () => number
}

/**
 * The same hasher, except that `verify` answers from memory for a password that has verified
 * against the same stored hash a short time ago, and that calls with one pair at the same time
 * share one computation. It is meant for HTTP Basic, where every request carries the password.
 * A changed hash is another pair. Failures are never remembered, so guessing stays as dear as
 * it was; but a success answers in microseconds, so do not use it where time must tell nothing.
 *
 * What is kept is an HMAC of each pair under a random key of this process, never a password.
 */
export function rememberVerifications(
  hasher: PasswordHasher,
  { size = 1_000, lifetime = 300_000, now }: VerificationMemoryOptions,
): PasswordHasher {
  const name = createPairNames()
  const goodUntil = new LRUCache<string, number>({ max: size })
  const underWay = new Map<string, Promise<boolean>>()

  const compute = async (pair: string, password: Password, hash: PasswordHash): Promise<boolean> => {
    const fits = await hasher.verify(password, hash)
    if (fits) goodUntil.set(pair, now() + lifetime)
    return fits
  }

  const share = (pair: string, computation: Promise<boolean>): Promise<boolean> => {
    const shared = computation.finally(() => underWay.delete(pair))
    underWay.set(pair, shared)
    return shared
  }

  const verify: PasswordHasher['verify'] = async (password, hash) => {
    if (password === undefined || hash === undefined) return await hasher.verify(password, hash)
    const pair = name(password, hash)
    const until = goodUntil.get(pair)
    if (until !== undefined && now() < until) return true
    goodUntil.delete(pair)
    return await (underWay.get(pair) ?? share(pair, compute(pair, password, hash)))
  }

  return { ...hasher, verify }
}

/** Names a pair by an HMAC, so that a dump of the memory is of no use once the process is gone. */
function createPairNames(): (password: Password, hash: PasswordHash) => string {
  const key = randomBytes(32)
  return (password, hash) =>
    createHmac('sha256', key)
      .update(JSON.stringify([password, hash]))
      .digest('base64url')
}
