import type { RoleKey } from '../domain/access/role.js'
import type { Account, AccountId, Epoch } from '../domain/identity/account.js'
import type { Email, EmailStart } from '../domain/identity/email.js'
import type { PasswordHash } from '../domain/identity/password.js'
import type { ResetDigest, IssuedResetToken } from '../domain/identity/reset-token.js'
import type { Instant } from '../domain/instant.js'
import type { PageOrder } from '../domain/page-limit.js'

export type NewAccount = {
  readonly email: Email
  /** The email as it was entered, if it differs from `email`. */
  readonly enteredEmail?: Email
  readonly passwordHash?: PasswordHash
  readonly createdAt: Instant
  /** Keys of the role table; a repeated key counts once. */
  readonly roles?: readonly RoleKey[]
}

/** A search for accounts; filters are combined with AND. */
export type AccountSearch = {
  /** The beginning of the email. */
  readonly start?: EmailStart
  readonly role?: RoleKey
  readonly onlyDisabled?: boolean
  /** The email of the last account of the previous page; the account may be gone. */
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

/** Another email for an account. */
export type EmailChange = {
  readonly id: AccountId
  readonly email: Email
  /** The email as it was entered, if it differs from `email`. */
  readonly enteredEmail?: Email
}

export type AccountInsertion =
  | { readonly kind: 'inserted'; readonly id: AccountId }
  | { readonly kind: 'duplicate-email' }
  | { readonly kind: 'unknown-role'; readonly role: RoleKey }

/**
 * User accounts. IDs are positive integers, increase and are never reused, not even after `remove`. Answers are copies,
 * or deeply frozen.
 */
export type Accounts = {
  /**
   * Atomic on the email: of any number of inserts of one email exactly one answers `inserted`, decided by a unique index
   * of the store. A new account has epoch 1 and the given roles. All or nothing, even if the process is killed: an
   * unknown role makes no account. A taken email is `duplicate-email`, regardless of the roles, and changes nothing; so
   * is an email that accounts have as their `sharedEmail`.
   */
  insert(account: NewAccount): Promise<AccountInsertion>
  /**
   * The account with the canonical `email`, with its roles, in one read; `undefined` if there is no such account. If
   * accounts have this `sharedEmail`: the account whose own email is `former`, the typed email in the form of releases up
   * to 0.7.0, or the only account that is left.
   */
  findByEmail(email: Email, former?: Email): Promise<Account | undefined>
  /** The account with its roles, in one read; `undefined` if there is no such account. */
  find(id: AccountId): Promise<Account | undefined>
  /**
   * The existing accounts among `ids`, with their roles, ascending by ID, each once. One read of the store; the cost
   * depends on the number of IDs.
   */
  findMany(ids: readonly AccountId[]): Promise<readonly Account[]>
  /**
   * Accounts with an ID above `after`, ascending, or, newest first, with an ID below it, descending; at most `limit`.
   * See `PageOrder`. The cost depends only on the page.
   */
  page(after: AccountId | undefined, limit: number, order?: PageOrder): Promise<readonly Account[]>
  /**
   * Accounts that match all filters, ascending by email (compared by code unit or by code point), at most `limit`. Uses
   * an index for every combination of filters: the cost depends only on the page.
   */
  search(search: AccountSearch): Promise<readonly Account[]>
  /**
   * Compare-and-swap of the stored hash, for a new hash of the same password: writes only if the hash is still
   * `expected`, so that a concurrent password change wins. Does not change the epoch.
   */
  replaceHash(id: AccountId, expected: PasswordHash, next: PasswordHash): Promise<'replaced' | 'changed'>
  /**
   * Sets another password and increments the epoch in one write: when it resolves, every earlier session and refresh
   * token has ended, and every later one continues (see `Sessions.endAllOf`).
   */
  setPassword(id: AccountId, hash: PasswordHash): Promise<'set' | 'unknown'>
  /**
   * As `setPassword`, in ONE write that succeeds only if the hash is still `expected` and the account is enabled. Any
   * number of callers with one `expected`, in any number of processes: exactly one gets the new epoch.
   */
  changePassword(change: PasswordChange): Promise<Epoch | undefined>
  /**
   * Sets another email and increments the epoch in ONE write: every earlier session and refresh token has ended, and
   * every reset token of the previous email is void. `email-taken`, which changes nothing, if another account has the
   * email, also as its `sharedEmail`; a unique index of the store decides between concurrent callers. The account has no
   * `sharedEmail` afterwards.
   */
  changeEmail(change: EmailChange): Promise<'changed' | 'email-taken' | 'unknown'>
  /**
   * Disables (an instant) or enables (`undefined`) the account and increments the epoch, in one write. `unchanged` if it
   * is in that state already: instant and epoch stay, so enabling an account that was never disabled ends no session.
   */
  setDisabled(id: AccountId, at: Instant | undefined): Promise<'set' | 'unchanged' | 'unknown'>
  /**
   * Adds a reset token, in one write, if the account is enabled and still has this epoch: a change of the epoch voids all
   * reset tokens. The newest `RESET_TOKENS_MAX` tokens are valid, in order of issue; a new token of the same mail
   * replaces the earlier token and becomes the newest.
   */
  issueResetToken(id: AccountId, epoch: Epoch, token: IssuedResetToken): Promise<'issued' | 'changed'>
  /**
   * Whether `consumeResetToken` would succeed now. `email` is canonical; the token may belong to any account that has it
   * as its email or `sharedEmail`.
   */
  holdsResetToken(email: Email, digest: ResetDigest, at: Instant): Promise<boolean>
  /**
   * Sets another password, increments the epoch and voids all reset tokens, in ONE write that succeeds only if this token
   * is valid at `at` and the account is enabled. Any number of callers with one token, in any number of processes:
   * exactly one gets the ID of the account.
   */
  consumeResetToken(input: ResetConsumption): Promise<AccountId | undefined>
  /**
   * The ends of all stored reset tokens of the account, valid or not, in order of issue; empty if there is no such
   * account.
   */
  resetTokenEnds(id: AccountId): Promise<readonly Instant[]>
  /**
   * Removes the account with its memberships, reset tokens, second factor and sessions; projects and pets stay. With an
   * epoch, only if the account still has it, in the same write: a proof from before a password change cannot remove the
   * account. Any number of callers, in any number of processes: exactly one gets `removed`.
   */
  remove(id: AccountId, epoch?: Epoch): Promise<'removed' | 'unknown'>
}
