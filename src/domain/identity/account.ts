import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import { emailForms, type Email } from './email.js'
import type { PasswordHash } from './password.js'

/** The ID of an account: a positive integer, assigned by the store and never reused. */
export type AccountId = number & { readonly brand: 'AccountId' }

/**
 * A counter that is incremented whenever the password is changed, the account is disabled or enabled, or its sessions are revoked. A
 * session records the epoch in which it was opened, and ends when the account's epoch changes. A single atomic write can therefore end all
 * sessions of an account.
 */
export type Epoch = number & { readonly brand: 'Epoch' }

/** A user who can log in. */
export type Account = {
  readonly id: AccountId
  /**
   * The canonical form of the email, unique among accounts. If `sharedEmail` is present, `email` has the form in which an earlier release
   * stored it.
   */
  readonly email: Email
  /** The email as entered, if it differs from `email`. This form is displayed, and is the address to which emails are sent. */
  readonly enteredEmail?: Email
  /**
   * Present only in stores written by a release up to 0.7.0, and only if another account has the same canonical email; contains the
   * canonical form of `email`. Each of these accounts keeps its `email`, and can be found by this email, until the other accounts are
   * deleted.
   */
  readonly sharedEmail?: Email
  /** Absent until a password is set; until then the account cannot log in. */
  readonly passwordHash?: PasswordHash
  readonly epoch: Epoch
  readonly disabledAt?: Instant
  readonly createdAt: Instant
  /** When the active second factor was confirmed; this time also identifies the factor. Absent if logins need no code. */
  readonly secondFactor?: Instant
  readonly roles: readonly Role[]
}

export function shownEmail({ email, enteredEmail }: Pick<Account, 'email' | 'enteredEmail'>): Email {
  return enteredEmail ?? email
}

/**
 * Returns every address under which emails for the account may be queued: all forms of its email, or only its own `email` if another
 * account has the same canonical form.
 */
export function mailEmails(
  account: Pick<Account, 'email' | 'enteredEmail' | 'sharedEmail'>,
): readonly Email[] {
  return account.sharedEmail === undefined ? emailForms(shownEmail(account)) : [account.email]
}
