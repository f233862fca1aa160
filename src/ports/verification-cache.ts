import type { Password, PasswordHash } from '../domain/identity/password.js'

/** A password that is to be verified against a stored hash. */
export type PasswordVerification = {
  readonly password: Password
  /** `undefined` where there is no account or no password: computed as well, or its time would tell. */
  readonly hash: PasswordHash | undefined
  /** Calls at the same time share a computation only within one scope, such as an email from one address network. */
  readonly scope: string
}

/**
 * Answers `true` at once for a pair that verified a short time ago; else with what `compute` comes to,
 * which calls with the same pair and scope at the same time share. Only successes are kept, so a guess
 * is never cheaper for it. For credentials that come with every request.
 */
export type VerificationCache = (
  verification: PasswordVerification,
  compute: () => Promise<boolean>,
) => Promise<boolean>
