import type { RoleKey } from '../domain/access/role.js'
import type { Account, AccountId, Epoch } from '../domain/identity/account.js'
import type { Email, EmailStart } from '../domain/identity/email.js'
import type { PasswordHash } from '../domain/identity/password.js'
import type { ResetDigest, IssuedResetToken } from '../domain/identity/reset-token.js'
import type { Instant } from '../domain/instant.js'
import type { PageOrder } from './page-order.js'

export type NewAccount = {
  /** The canonical form. */
  readonly email: Email
  /** As it was entered, if that differs. */
  readonly enteredEmail?: Email
  readonly passwordHash?: PasswordHash
  readonly createdAt: Instant
  /** Keys of the role table; a key twice is one membership. */
  readonly roles?: readonly RoleKey[]
}

/** Which accounts are searched for; what is asked for holds together. */
export type AccountSearch = {
  /** What their emails begin with. */
  readonly start?: EmailStart
  /** A role that they have. */
  readonly role?: RoleKey
  /** Whether those only that are disabled. */
  readonly onlyDisabled?: boolean
  /** The email of the last account of the page before, which need not be there any more. */
  readonly after?: Email
  readonly limit: number
}

export type ResetConsumption = {
  readonly email: Email
  readonly digest: ResetDigest
  readonly at: Instant
  readonly hash: PasswordHash
}

/** A password that the owner of the account changes. */
export type PasswordChange = {
  readonly id: AccountId
  /** The hash against which the current password was verified. */
  readonly expected: PasswordHash
  readonly next: PasswordHash
}

export type AccountInsertion =
  | { readonly kind: 'inserted'; readonly id: AccountId }
  | { readonly kind: 'duplicate-email' }
  | { readonly kind: 'unknown-role'; readonly role: RoleKey }

/**
 * User accounts. Ids are positive integers, increasing and never reused, not even after
 * `remove`. What is handed out is a copy: changing it changes nothing in the store.
 */
export type Accounts = {
  /**
   * Atomic on the email: of any number of inserts of one email exactly one answers `inserted`,
   * decided by the store's own unique index. A new account has epoch 1 and the roles that it was
   * given. All or nothing: with an unknown role no account is made, and a process that is
   * killed in the middle leaves either the whole account or nothing. An email that is taken is `duplicate-email`
   * whatever the roles are, and changes nothing. So is an email that accounts have as their `sharedEmail`.
   */
  insert(account: NewAccount): Promise<AccountInsertion>
  /**
   * With its roles, in one read, by the canonical `email`. `undefined` if no account has it (or it was removed). If accounts have
   * this `sharedEmail`, the call finds the account whose own email is `former`, the typed email in the form of releases up to 0.7.0,
   * or the only account that is left.
   */
  findByEmail(email: Email, former?: Email): Promise<Account | undefined>
  /** With its roles, in one read. `undefined` where there is none (or it was removed). */
  find(id: AccountId): Promise<Account | undefined>
  /**
   * Accounts with an id above `after`, ascending, at most `limit`; newest first those with an id below it,
   * descending; see `PageOrder` for what a walk shows. The cost is the page's.
   */
  page(after: AccountId | undefined, limit: number, order?: PageOrder): Promise<readonly Account[]>
  /**
   * Accounts that are as is asked for, ascending by their emails, which are compared by code unit or by code point, at most
   * `limit`. From an index, whatever is asked for together: the cost is the page's, and grows with neither the accounts nor
   * those that meet some of the conditions.
   */
  search(search: AccountSearch): Promise<readonly Account[]>
  /**
   * Compare-and-swap of the stored hash, for the same password hashed anew: it writes only
   * where the hash still is `expected`, so that a password change in between wins. Moves no epoch.
   */
  replaceHash(id: AccountId, expected: PasswordHash, next: PasswordHash): Promise<'replaced' | 'changed'>
  /**
   * Sets another password and bumps the epoch in one write: every earlier session and
   * refresh token is no longer active when this returns, and no later one is touched (see `Sessions.endAllOf`).
   */
  setPassword(id: AccountId, hash: PasswordHash): Promise<'set' | 'unknown'>
  /**
   * Sets another password and bumps the epoch, as `setPassword` does, in ONE write that succeeds only where the hash still
   * is `expected` and the account is enabled. Of any number of callers with one `expected`, in any number of processes,
   * exactly one gets the new epoch.
   */
  changePassword(change: PasswordChange): Promise<Epoch | undefined>
  /**
   * Disables (an instant) or enables (`undefined`) and bumps the epoch, in one write. An account
   * that is so already is `unchanged`, its instant and its epoch too: enabling an account
   * that was never disabled ends no session.
   */
  setDisabled(id: AccountId, at: Instant | undefined): Promise<'set' | 'unchanged' | 'unknown'>
  /**
   * Lets the password be reset with this token too, in one write. The newest `RESET_TOKENS_MAX` are good,
   * in the order in which they were issued; one of the same mail is replaced, which then is the
   * newest. Only where the account is enabled and still has this epoch: reset tokens are void as soon as it
   * moves.
   */
  issueResetToken(id: AccountId, epoch: Epoch, token: IssuedResetToken): Promise<'issued' | 'changed'>
  /**
   * True where `consumeResetToken` would succeed at this moment. `email` is canonical; the token may be of each account that has it
   * as its email or as its `sharedEmail`.
   */
  holdsResetToken(email: Email, digest: ResetDigest, at: Instant): Promise<boolean>
  /**
   * Sets another password, bumps the epoch and voids all reset tokens, in ONE write that succeeds only
   * where this token is in force at `at` and its account enabled. Of any number of callers with one
   * token, in any number of processes, exactly one gets the account's id.
   */
  consumeResetToken(input: ResetConsumption): Promise<AccountId | undefined>
  /**
   * Until when each reset token was made for that is kept for the account, in force or not, in the order in which they were
   * issued. None where there is no such account.
   */
  resetTokenEnds(id: AccountId): Promise<readonly Instant[]>
  /**
   * Takes the account, its memberships, reset tokens, second factor and sessions away; projects and pets stay. With an epoch
   * only while the account has it, in the same write: what was proved before another password was set takes no account
   * away after it. Of any number of callers, in any number of processes, exactly one gets `removed`.
   */
  remove(id: AccountId, epoch?: Epoch): Promise<'removed' | 'unknown'>
}
