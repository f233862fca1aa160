import type { Account, AccountId } from '../domain/identity/account.js'
import type { Email } from '../domain/identity/email.js'
import type { PasswordHash } from '../domain/identity/password.js'
import type { Instant } from '../domain/instant.js'

export type NewAccount = {
  readonly email: Email
  readonly passwordHash?: PasswordHash
  readonly createdAt: Instant
}

/**
 * User accounts. Ids are positive integers, increasing and never reused, not even after
 * `remove`. What is handed out is a copy: changing it changes nothing in the store.
 */
export type Accounts = {
  /**
   * Atomic on the email: of any number of inserts of one email exactly one answers `inserted`,
   * decided by the store's own unique index. A new account has epoch 1 and no roles.
   */
  insert(
    account: NewAccount,
  ): Promise<{ readonly kind: 'inserted'; readonly id: AccountId } | { readonly kind: 'duplicate-email' }>
  /** With its roles, in one read. `undefined` where there is none (or it was removed). */
  findByEmail(email: Email): Promise<Account | undefined>
  find(id: AccountId): Promise<Account | undefined>
  /** Accounts with an id above `after`, ascending, at most `limit`; the cost is the page's. */
  page(after: AccountId | undefined, limit: number): Promise<readonly Account[]>
  /**
   * Compare-and-swap of the stored hash, for the same password hashed anew: it writes only
   * where the hash still is `expected`, so that a password change in between wins. Moves no epoch.
   */
  replaceHash(id: AccountId, expected: PasswordHash, next: PasswordHash): Promise<'replaced' | 'changed'>
  /**
   * Sets another password and moves the epoch in one write: every session and refresh token
   * of before is dead when this returns.
   */
  setPassword(id: AccountId, hash: PasswordHash): Promise<'set' | 'unknown'>
  /** Disables (an instant) or enables (`undefined`) and moves the epoch, in one write. */
  setDisabled(id: AccountId, at: Instant | undefined): Promise<'set' | 'unknown'>
  /** Takes the account, its memberships and its sessions away; projects and pets stay. */
  remove(id: AccountId): Promise<'removed' | 'unknown'>
}
