import type { Email } from '../domain/identity/email.js'
import type { ImportedSecret } from '../domain/identity/second-factor.js'

/** The result of checking an email and a password in the previous system. */
export type PreviousAnswer =
  | {
      readonly kind: 'account'
      /** Keys of roles that exist in Kennel. */
      readonly roles?: readonly string[] | undefined
      /** The second factor, which this login and all later logins require. */
      readonly totp?: ImportedSecret | undefined
    }
  /** The password is wrong, or the account must not log in. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'unknown' }

/** A previous system whose accounts move to Kennel when their users first log in. */
export type PreviousAccounts = {
  /**
   * Verifies the email as entered, without surrounding white space, and the password exactly as it was sent. Rejects if the system does not
   * answer; the login then fails as with a wrong password, and the error is logged. After 5,000 ms, `signal` is aborted and the call counts
   * as rejected. Called, possibly concurrently, for each login whose email has no account, or only an account that an interrupted process
   * left incomplete.
   */
  verify(email: Email, password: string, signal: AbortSignal): Promise<PreviousAnswer>
}
