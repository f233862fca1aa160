import type { RoleKey } from '../domain/access/role.js'
import type { Account, AccountId, Epoch } from '../domain/identity/account.js'
import type { Email, EmailStart } from '../domain/identity/email.js'
import type { PasswordHash } from '../domain/identity/password.js'
import type { Instant } from '../domain/instant.js'
import type { PageOrder } from '../domain/page-limit.js'

/** An account to insert; the store assigns the ID. */
export type NewAccount = {
  readonly email: Email
  /** The email as entered, if it differs from `email`. */
  readonly enteredEmail?: Email
  readonly passwordHash?: PasswordHash
  readonly createdAt: Instant
  /** If present, the account is inserted disabled, in the same write. */
  readonly disabledAt?: Instant
  /** Keys of the role table; a repeated key counts once. */
  readonly roles?: readonly RoleKey[]
}

/** A search for accounts; filters are combined with AND. */
export type AccountSearch = {
  /** The beginning of the canonical email. */
  readonly start?: EmailStart
  readonly role?: RoleKey
  readonly onlyDisabled?: boolean
  /** The email of the last account of the previous page; the account may have been removed. */
  readonly after?: Email
  readonly limit: number
}

/** A password change by the user. */
export type PasswordChange = {
  readonly id: AccountId
  /** The hash against which the current password was verified. */
  readonly expected: PasswordHash
  readonly next: PasswordHash
}

/** A new email for an account. */
export type EmailChange = {
  readonly id: AccountId
  readonly email: Email
  /** The email as entered, if it differs from `email`. */
  readonly enteredEmail?: Email
}

export type AccountInsertion =
  | { readonly kind: 'inserted'; readonly id: AccountId }
  | { readonly kind: 'duplicate-email' }
  | { readonly kind: 'unknown-role'; readonly role: RoleKey }

/** Accounts. IDs are positive integers that increase and are never reused, even after `remove`. Results are copies or deeply frozen. */
export type Accounts = {
  /**
   * Atomic for each email: only one concurrent insert of an email returns `inserted`; a unique index of the store decides. A new account
   * has epoch 1 and the requested roles. All or nothing, even if the process is killed: for example, if a role is unknown, no account is
   * inserted. Returns `duplicate-email`, regardless of the roles, if an account has the email as its `email` or `sharedEmail`.
   */
  insert(account: NewAccount): Promise<AccountInsertion>
  /**
   * Returns the account with the canonical `email`, with its roles, in one read; `undefined` if there is no such account. If several
   * accounts have the email as `sharedEmail`, returns the account whose own `email` is `former`, the entered email in the form that
   * releases up to 0.7.0 stored. If only one account has this `sharedEmail`, returns that account.
   */
  findByEmail(email: Email, former?: Email): Promise<Account | undefined>
  /** Returns the account with its roles, in one read; `undefined` if there is no such account. */
  find(id: AccountId): Promise<Account | undefined>
  /**
   * Returns those accounts whose IDs are in `ids`, with their roles, ordered by ID, without duplicates. Reads the store once; the cost
   * depends on the number of IDs.
   */
  findMany(ids: readonly AccountId[]): Promise<readonly Account[]>
  /**
   * Returns at most `limit` accounts: with IDs above `after`, ascending, or, for newest first, with IDs below `after`, descending. See
   * `PageOrder`. The cost depends only on the size of the page.
   */
  page(after: AccountId | undefined, limit: number, order?: PageOrder): Promise<readonly Account[]>
  /**
   * Returns at most `limit` accounts that match all filters, ordered by email (compared by code unit or by code
   * point). Uses an index for every combination of filters, so that the cost depends only on the size of the page.
   */
  search(search: AccountSearch): Promise<readonly Account[]>
  /**
   * Replaces the hash with a new hash of the same password. Compare-and-swap: writes only if the hash is still `expected`, so that a
   * concurrent password change wins. Does not change the epoch.
   */
  replaceHash(id: AccountId, expected: PasswordHash, next: PasswordHash): Promise<'replaced' | 'changed'>
  /**
   * Sets a new password and increments the epoch in one write; this write ends every earlier session and refresh token, but none that is
   * created later (see `Sessions.endAllOf`).
   */
  setPassword(id: AccountId, hash: PasswordHash): Promise<'set' | 'unknown'>
  /**
   * Like `setPassword`, but in one write that succeeds only if the hash is still `expected` and the account is enabled. Only one concurrent
   * caller with the same `expected` gets the new epoch, even across processes.
   */
  changePassword(change: PasswordChange): Promise<Epoch | undefined>
  /**
   * Sets a new email and increments the epoch in one write, which ends every earlier session and refresh token. Also removes `sharedEmail`.
   * Returns `email-taken` and changes nothing if another account has the email as its `email` or `sharedEmail`; a unique index of the store
   * decides between concurrent callers.
   */
  changeEmail(change: EmailChange): Promise<'changed' | 'email-taken' | 'unknown'>
  /**
   * Disables (with an instant) or enables (with `undefined`) the account and increments the epoch, in one write. Returns `unchanged` and
   * keeps the time and the epoch if the account is already in that state; enabling an enabled account ends no session. With `since`, enables
   * the account, or changes the time at which it was disabled, only if it was disabled at exactly that time; otherwise returns `unchanged`.
   */
  setDisabled(
    id: AccountId,
    at: Instant | undefined,
    since?: Instant,
  ): Promise<'set' | 'unchanged' | 'unknown'>
  /**
   * Removes the account with its role assignments, proofs, second factor and sessions, but not its projects and pets. If an epoch is given,
   * removes the account only if its epoch is unchanged, in one atomic step. This way, a proof issued before a password change cannot remove
   * the account. Only one concurrent caller gets `removed`, even across processes.
   */
  remove(id: AccountId, epoch?: Epoch): Promise<'removed' | 'unknown'>
}
