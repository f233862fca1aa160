import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import type { Email } from './email.js'
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
  readonly email: Email
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
