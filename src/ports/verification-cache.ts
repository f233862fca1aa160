import type { Password, PasswordHash } from '../domain/identity/password.js'

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
