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
   * Compares `password`, and for a hash in the format of another system also `sent`, the text before its NFKC
   * normalization: that system may have hashed it as it was. A false answer costs at least one hash at the current cost:
   * a decoy is computed if `password` or `hash` is `undefined`, and after a cheaper or foreign hash that did not match. A
   * hash that is corrupt, or too costly by `recognise`, never verifies, never throws, and its parameters are not used.
   */
  verify(password: Password | undefined, hash: PasswordHash | undefined, sent?: string): Promise<boolean>
  /**
   * Whether a new hash of this password should replace `hash`, which it has just matched: true for other parameters than
   * the current parameters and for an older algorithm. False if `hash` may not cover all of this password (bcrypt reads
   * 72 bytes), because its end may be wrong. It is asked for the text before the normalization too.
   */
  isOutdated(hash: PasswordHash, password: string): boolean
  /** Whether the text is a hash of a format that `verify` knows (scrypt-kdf, bcrypt `$2a$ $2b$ $2y$`). */
  recognise(text: string): Recognised
}

/**
 * `PasswordHasher.verify` for callers who must not displace others. `find` finds the hash once there is room for the verification:
 * a caller who is refused with `overloaded` causes no search, whose time would depend on the account.
 */
export type VerifyFound = (
  password: Password | undefined,
  find: () => Promise<PasswordHash | undefined>,
  sent?: string,
) => Promise<boolean>

/** A password as a client presents it, before its account is known. */
export type PasswordVerification = {
  /** As it was sent: texts with one normal form may differ for a hash of another system. */
  readonly password: string
  /** The account as the client names it, such as the text of an email. */
  readonly name: string
  /** Concurrent calls share a computation only within one scope, such as an address network. */
  readonly scope: string
}

/** For credentials that come with every request. Only successes are cached, so a guess gets no cheaper. */
export type VerificationCache = {
  /**
   * The hash that this password has matched for this name a short time ago. The caller has to compare it with the current hash of the
   * account.
   */
  matched(verification: PasswordVerification): PasswordHash | undefined
  /**
   * The result of `compute`, which concurrent calls with the same password, name and scope share. The `hash` of a result is the hash
   * that the password has matched, and is cached.
   */
  share<Result extends { readonly hash?: PasswordHash | undefined }>(
    verification: PasswordVerification,
    compute: () => Promise<Result>,
  ): Promise<Result>
}
