import type { Email } from '../domain/identity/email.js'
import type { Password } from '../domain/identity/password.js'

/** Why a password cannot be set. */
export const PASSWORD_OBJECTIONS = ['too-common', 'too-close-to-context'] as const
/** One of `PASSWORD_OBJECTIONS`. */
export type PasswordObjection = (typeof PASSWORD_OBJECTIONS)[number]

/** The account whose password is set. */
export type PasswordContext = {
  /** Absent if the email is unknown or invalid. */
  readonly email?: Email | undefined
}

/**
 * Passwords that users must not set (NIST SP 800-63B, 3.1.1.2). Called for each new password, after the length rule and
 * before hashing; never at a login.
 */
export type PasswordBlocklist = {
  /**
   * The reason to refuse the password; `undefined` to accept it. `too-common`: it is on a list, regardless of case and
   * width. `too-close-to-context`: it is little more than the email or the name of the service. It judges the whole
   * password: a strong password may contain a common one. The password is not kept, and an external service must not
   * learn it. Rejects with the refusal `unavailable` if it cannot judge; then no password is set.
   */
  refuses(password: Password, context: PasswordContext): Promise<PasswordObjection | undefined>
}
