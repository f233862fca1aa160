import type { Email } from '../domain/identity/email.js'
import type { Password, PasswordHash } from '../domain/identity/password.js'

/** The cost of one scrypt hash: N = 2^logN, block size r, parallelization p. The memory use is 128 · N · r bytes. */
export type HashCost = { readonly logN: number; readonly r: number; readonly p: number }

/** How a hasher classifies a string. */
export type Recognised =
  /** A hash that `verify` can check, in the form in which to store it, which may differ from the input. */
  | { readonly kind: 'hash'; readonly hash: PasswordHash }
  /** A known format with a higher cost than `verify` allows; `limit` is a clause that states the allowed cost. */
  | { readonly kind: 'too-costly'; readonly limit: string }
  | { readonly kind: 'unknown' }

/**
 * Hashes passwords. The concurrency and the queue are bounded: if the queue is full, `hash` and `verify` reject with the refusal
 * `overloaded` without doing any work.
 */
export type PasswordHasher = {
  /** Uses a fresh salt, so that two hashes of the same password differ. */
  hash(password: Password): Promise<PasswordHash>
  /**
   * Verifies `password`. For a hash in another system's format, also verifies `sent`, the string before NFKC normalization, because that
   * system may have hashed this string. A failed verification always costs at least one hash at the current cost: a decoy hash is computed
   * if `password` or `hash` is `undefined`, and also after a mismatch with a cheaper hash or with a hash from another system. Verification
   * against a hash that is corrupt, or too costly according to `recognise`, fails without an error and without computing the hash.
   */
  verify(password: Password | undefined, hash: PasswordHash | undefined, sent?: string): Promise<boolean>
  /**
   * Returns whether a new hash of this password should replace `hash`, which has just matched the password: `true` if `hash` does not use
   * the current parameters and algorithm. Returns `false` if `hash` may not cover the whole password, because the rest of the entered
   * password may be wrong; bcrypt reads only 72 bytes. `password` may also be the string before normalization.
   */
  isOutdated(hash: PasswordHash, password: string): boolean
  /** Classifies a string. Besides its own hashes, a hasher may know those of other systems, such as bcrypt and Argon2. */
  recognise(text: string): Recognised
}

/**
 * Like `PasswordHasher.verify`, but calls `find` to look up the hash only after the verification is admitted. The duration of a refusal
 * with `overloaded` thus reveals nothing about the account.
 */
export type VerifyFound = (
  password: Password | undefined,
  find: () => Promise<PasswordHash | undefined>,
  sent?: string,
) => Promise<boolean>

/** A password that a client sent; the account has not been looked up yet. */
export type PasswordVerification = {
  /** The string exactly as sent, because a hash from another system may match only one of several strings with the same normal form. */
  readonly password: string
  /** The string that identifies the account in the request, such as an email. */
  readonly name: string
  /** Only concurrent calls with the same scope, such as an IP network, share a computation. */
  readonly scope: string
}

/** Caches verifications of credentials that are sent with every request. Caches only successes, so that guesses stay expensive. */
export type VerificationCache = {
  /** Returns the hash that this password recently matched; the caller must compare it with the account's current hash. */
  matched(verification: PasswordVerification): PasswordHash | undefined
  /**
   * Returns the result of `compute`; concurrent calls with the same password, name and scope share one computation. Caches the stored hash
   * that the password matched, which is `hash` in the result.
   */
  share<Result extends { readonly hash?: PasswordHash | undefined }>(
    verification: PasswordVerification,
    compute: () => Promise<Result>,
  ): Promise<Result>
}

/** Why a blocklist can reject a password. */
export const PASSWORD_OBJECTIONS = ['too-common', 'too-close-to-context'] as const
/** A reason from `PASSWORD_OBJECTIONS`. */
export type PasswordObjection = (typeof PASSWORD_OBJECTIONS)[number]

/** The account whose password is set. */
export type PasswordContext = {
  /** Absent if the email is unknown or invalid. */
  readonly email?: Email | undefined
}

/** Rejects bad new passwords (NIST SP 800-63B, 3.1.1.2). Called after the length check and before hashing; never called during a login. */
export type PasswordBlocklist = {
  /**
   * Resolves with the reason why the password is refused, or with `undefined` to accept the password. `too-common`: the password is on a
   * list, regardless of case and width. `too-close-to-context`: the password is little more than the email or the name of the service.
   * Checks the password as a whole, because a strong password may contain a common password. Must not keep the password or send it to an
   * external service. Rejects with the refusal `unavailable` if the check is impossible; in this case, the password is not set.
   */
  refuses(password: Password, context: PasswordContext): Promise<PasswordObjection | undefined>
}
