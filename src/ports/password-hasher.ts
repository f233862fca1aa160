import type { Password, PasswordHash } from '../domain/identity/password.js'

/** Cost of one scrypt hash: N = 2^logN, block size r, parallelisation p. Memory is 128 · N · r bytes. */
export type HashCost = { readonly logN: number; readonly r: number; readonly p: number }

/** How a hasher classifies a text. */
export type Recognised =
  /** A hash that `verify` computes. */
  | { readonly kind: 'hash'; readonly hash: PasswordHash }
  /** A known format with a higher cost than `verify` computes; `limit` says in a clause how much it computes. */
  | { readonly kind: 'too-costly'; readonly limit: string }
  | { readonly kind: 'unknown' }

/**
 * Hashes passwords. Concurrency and queue are bounded: beyond the bounds `hash` and `verify` reject with the refusal
 * `overloaded` and do no work.
 */
export type PasswordHasher = {
  /** With a fresh salt: two hashes of one password differ. */
  hash(password: Password): Promise<PasswordHash>
  /**
   * A false answer costs at least one hash at the current cost: a decoy is computed if an argument is `undefined`, and
   * after a cheaper or foreign hash that did not match. A hash that is corrupt, or too costly by `recognise`, never
   * verifies, never throws, and its parameters are not used.
   */
  verify(password: Password | undefined, hash: PasswordHash | undefined): Promise<boolean>
  /**
   * Whether a new hash of this password should replace `hash`, which it has just matched: true for other parameters than
   * the current parameters and for an older algorithm. False if `hash` may not cover all of this password (bcrypt reads
   * 72 bytes), because its end may be wrong.
   */
  isOutdated(hash: PasswordHash, password: Password): boolean
  /** Whether the text is a hash of a format that `verify` knows (scrypt-kdf, bcrypt `$2a$ $2b$ $2y$`). */
  recognise(text: string): Recognised
}

/** A password that is to be verified against a stored hash. */
export type PasswordVerification = {
  readonly password: Password
  /** `undefined` without an account or a password: verified as well, so that the time reveals nothing. */
  readonly hash: PasswordHash | undefined
  /** Concurrent calls share a computation only within one scope, such as an email from one address network. */
  readonly scope: string
}

/**
 * Answers `true` immediately for a pair that was verified a short time ago; otherwise with the result of `compute`, which
 * concurrent calls with the same pair and scope share. Only successes are cached, so a guess gets no cheaper. For
 * credentials that come with every request.
 */
export type VerificationCache = (
  verification: PasswordVerification,
  compute: () => Promise<boolean>,
) => Promise<boolean>
