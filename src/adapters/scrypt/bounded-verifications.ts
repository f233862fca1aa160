import type { PasswordHasher } from '../../ports/password-hasher.js'
import { createHashPool, type HashMetrics } from './hash-pool.js'

/** Verifications that may wait for one of those under way. */
const WAITING = 16

/** Of the hasher whose work is shared with others. */
type BoundedVerificationOptions = {
  /** Hashes that it computes at once; half of them, at least one, may be verifications. */
  readonly concurrency: number
  readonly metrics?: Pick<HashMetrics, 'hashRefused'> | undefined
}

/**
 * The same hasher for callers who must not crowd out others: at most half of its workers verify for
 * them and 16 wait, beyond which `verify` rejects with a Refusal `overloaded`. With a single worker one of
 * theirs at a time is in its queue, so that other callers who came meanwhile are served before the next one.
 */
export function boundVerifications(
  hasher: PasswordHasher,
  { concurrency, metrics }: BoundedVerificationOptions,
): PasswordHasher {
  const half = Math.max(1, Math.floor(concurrency / 2))
  const pool = createHashPool({ concurrency: half, queue: WAITING, metrics })
  return { ...hasher, verify: (password, hash) => pool.run(() => hasher.verify(password, hash)) }
}
