import type { Email } from '../domain/identity/email.js'
import type { ImportedSecret } from '../domain/identity/second-factor.js'

/**
 * Resolves with a readable name for a `User-Agent` header, such as `Firefox 130 on Linux`, or with `undefined` if the client is unknown. The
 * header is passed exactly as sent; the function must not reject, regardless of the length or content of the header. The name is shortened
 * and sanitized before it is stored (`clientName`).
 */
export type NameClient = (userAgent: string) => Promise<string | undefined>

/** A request to sign up, before anything is stored. */
export type AccountAdmission = {
  readonly email: Email
  /** The client of the request; absent if the host passes none. */
  readonly client:
    { readonly address?: string | undefined; readonly userAgent?: string | undefined } | undefined
  /** The answer to a bot challenge, as the client sent it. */
  readonly challenge: string | undefined
}

/** Decides on a sign-up before anything is stored: allows it, denies it, or demands that the client solve a bot challenge first. */
export type AdmitAccount = (admission: AccountAdmission) => Promise<'allow' | 'deny' | 'challenge'>

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
   * answer; the login then fails as with a wrong password, and the name and code of the error are logged. After 5,000 ms, `signal` is
   * aborted and the call counts as rejected. Called, possibly concurrently, for each login whose email has no account, or only an account
   * that an interrupted process left incomplete.
   */
  verify(email: Email, password: string, signal: AbortSignal): Promise<PreviousAnswer>
}
