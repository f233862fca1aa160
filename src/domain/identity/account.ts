import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import { emailForms, type Email } from './email.js'
import type { PasswordHash } from './password.js'

/** A positive integer that the store assigns and never reuses. */
export type AccountId = number & { readonly brand: 'AccountId' }

/**
 * Increases by one with every password change, disabling, enabling and revocation. A session keeps the epoch in which it
 * was opened and ends as soon as the two differ, so one atomic write of the account ends all its sessions.
 */
export type Epoch = number & { readonly brand: 'Epoch' }

/** A user who can log in. */
export type Account = {
  readonly id: AccountId
  /** The canonical form, unique among accounts. With `sharedEmail` the form that an earlier release stored. */
  readonly email: Email
  /** The email as it was entered, if that differs from `email`: it is shown, and used as the address of mails. */
  readonly enteredEmail?: Email
  /**
   * Only in stores of releases up to 0.7.0: a canonical form that another account shares. Each of these accounts keeps
   * its `email`, and is found by it, until the others are deleted.
   */
  readonly sharedEmail?: Email
  /** Absent if no password was ever set: such an account cannot log in. */
  readonly passwordHash?: PasswordHash
  readonly epoch: Epoch
  readonly disabledAt?: Instant
  readonly createdAt: Instant
  /** When the active second factor was confirmed, which tells it from earlier factors; a login then needs a code. */
  readonly secondFactor?: Instant
  readonly roles: readonly Role[]
}

export function shownEmail({ email, enteredEmail }: Pick<Account, 'email' | 'enteredEmail'>): Email {
  return enteredEmail ?? email
}

/**
 * Every email to which queued mails of an account may be addressed: all forms, unless another account shares the
 * canonical form.
 */
export function mailEmails(
  account: Pick<Account, 'email' | 'enteredEmail' | 'sharedEmail'>,
): readonly Email[] {
  return account.sharedEmail === undefined ? emailForms(shownEmail(account)) : [account.email]
}
