import type { Password, PasswordHash } from '../domain/identity/password.js'

/** What one scrypt hash costs: N = 2^logN, block size r, parallelisation p. Memory is 128 · N · r bytes. */
export type HashCost = { readonly logN: number; readonly r: number; readonly p: number }

/** What a text is to a hasher. */
export type Recognised =
  /** A hash that `verify` computes. */
  | { readonly kind: 'hash'; readonly hash: PasswordHash }
  /** Of a known format, but dearer than what `verify` computes; `limit` says in a clause how much that is. */
  | { readonly kind: 'too-costly'; readonly limit: string }
  | { readonly kind: 'unknown' }

/**
 * Hashes passwords. Concurrency is bounded and so is the queue: beyond it `hash` and `verify`
 * reject with a Refusal `overloaded` and do no work.
 */
export type PasswordHasher = {
  /** With a fresh salt: two hashes of one password differ. */
  hash(password: Password): Promise<PasswordHash>
  /**
   * A false answer costs at least one hash at the current cost, whatever is passed: where either is
   * `undefined`, and after a cheaper or foreign hash that did not match, a decoy is computed. A corrupt
   * hash, or one that `recognise` finds too costly, never verifies, never throws and never obeys its
   * parameters.
   */
  verify(password: Password | undefined, hash: PasswordHash | undefined): Promise<boolean>
  /**
   * Whether a new hash of this password is to take the place of `hash`, with which it has just verified:
   * true of other than the current parameters and of an older algorithm; false where `hash` may not have
   * seen all of this password (bcrypt looks at 72 bytes), since its end may be wrong.
   */
  isOutdated(hash: PasswordHash, password: Password): boolean
  /** Whether the text is a hash of a format that `verify` knows (scrypt-kdf, bcrypt `$2a$ $2b$ $2y$`). */
  recognise(text: string): Recognised
}
