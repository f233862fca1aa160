import type { Email } from '../domain/identity/email.js'
import type { Password } from '../domain/identity/password.js'

/** Why a password cannot be set. */
export const PASSWORD_OBJECTIONS = ['too-common', 'too-close-to-context'] as const
/** One of `PASSWORD_OBJECTIONS`. */
export type PasswordObjection = (typeof PASSWORD_OBJECTIONS)[number]

/** Whose password it is to be. */
export type PasswordContext = {
  /** Missing where none is known, or none that could be one. */
  readonly email?: Email | undefined
}

/**
 * Passwords that people should not have (NIST SP 800-63B, 3.1.1.2). It is asked for each password that is to be set, after
 * the length rule and before a hash is paid for; never at a login.
 */
export type PasswordBlocklist = {
  /**
   * Why this password is refused, `undefined` where it is not. `too-common`: it is one of a list, whatever the case and
   * width of its letters. `too-close-to-context`: it is little more than the email or the name of the service. It judges
   * the whole: a good password may hold a common one. The password goes nowhere and is kept nowhere; where a service is
   * asked, only what does not tell it. Rejects with the refusal `unavailable` where it cannot tell: nothing is set then.
   */
  refuses(password: Password, context: PasswordContext): Promise<PasswordObjection | undefined>
}
