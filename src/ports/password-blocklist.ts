import type { Email } from '../domain/identity/email.js'
import type { Password } from '../domain/identity/password.js'

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
