import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import { emailForms, type Email } from './email.js'
import type { PasswordHash } from './password.js'

/** A positive integer, assigned by the store and never reused. */
export type AccountId = number & { readonly brand: 'AccountId' }

/**
 * A counter that every password change, disabling, enabling and revocation increments. A session records the epoch in
 * which it was opened, and ends when the account has another epoch. So one atomic write ends all its sessions.
 */
export type Epoch = number & { readonly brand: 'Epoch' }

/** A user who can log in. */
export type Account = {
  readonly id: AccountId
  /** The canonical form, unique among accounts. With `sharedEmail`, the form that an earlier release stored. */
  readonly email: Email
  /** The email as it was entered, if it differs from `email`. It is displayed, and mails are sent to it. */
  readonly enteredEmail?: Email
  /**
   * Only in stores that a release up to 0.7.0 wrote: the canonical form, if another account has the same. Each of these
   * accounts keeps its `email`, and is found by it, until the other accounts are deleted.
   */
  readonly sharedEmail?: Email
  /** Absent until a password is set; the account cannot log in before. */
  readonly passwordHash?: PasswordHash
  readonly epoch: Epoch
  readonly disabledAt?: Instant
  readonly createdAt: Instant
  /** When the active second factor was confirmed; it also identifies the factor. Absent if logins need no code. */
  readonly secondFactor?: Instant
  readonly roles: readonly Role[]
}

export function shownEmail({ email, enteredEmail }: Pick<Account, 'email' | 'enteredEmail'>): Email {
  return enteredEmail ?? email
}

/**
 * Returns every email under which mails for the account may be queued: all its forms, or only its own `email` if
 * another account has the same canonical form.
 */
export function mailEmails(
  account: Pick<Account, 'email' | 'enteredEmail' | 'sharedEmail'>,
): readonly Email[] {
  return account.sharedEmail === undefined ? emailForms(shownEmail(account)) : [account.email]
}
