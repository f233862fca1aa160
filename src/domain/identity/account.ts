import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import { emailForms, type Email } from './email.js'
import type { PasswordHash } from './password.js'

/** A positive integer assigned by the store, never reused. */
export type AccountId = number & { readonly brand: 'AccountId' }

/**
 * Moves by one with every password change, disabling, enabling and revocation. A session keeps the
 * epoch that it was opened in and is dead as soon as the two differ, so one atomic write of
 * the account ends all its sessions.
 */
export type Epoch = number & { readonly brand: 'Epoch' }

/** A user who can log in. */
export type Account = {
  readonly id: AccountId
  /** The canonical form, which no other account has. With `sharedEmail` the form that an earlier release stored. */
  readonly email: Email
  /** As it was entered, if that differs: it is shown, and mails go there. */
  readonly enteredEmail?: Email
  /**
   * Only in stores of releases up to 0.7.0: the canonical form, which another account has too. Each keeps its `email`, and is found
   * by it, until the other accounts are deleted.
   */
  readonly sharedEmail?: Email
  /** Absent where no password was ever set: such an account cannot log in. */
  readonly passwordHash?: PasswordHash
  readonly epoch: Epoch
  readonly disabledAt?: Instant
  readonly createdAt: Instant
  /** There while a second factor is active, which a login then needs. */
  readonly secondFactor?: true
  /** Its memberships, in the order of their keys. */
  readonly roles: readonly Role[]
}

/** The email of an account as it is shown. */
export function shownEmail({ email, enteredEmail }: Pick<Account, 'email' | 'enteredEmail'>): Email {
  return enteredEmail ?? email
}

/** Every email to which mails of an account may wait: in any form, unless another account shares the canonical form. */
export function mailEmails(
  account: Pick<Account, 'email' | 'enteredEmail' | 'sharedEmail'>,
): readonly Email[] {
  return account.sharedEmail === undefined ? emailForms(shownEmail(account)) : [account.email]
}
