import type { RoleKey } from '../domain/access/role.js'
import type { AccountId } from '../domain/identity/account.js'
import type { PasswordHash } from '../domain/identity/password.js'
import type { Proof, ProofDigest, ProofId, ProofPurpose, ProofRenewal } from '../domain/identity/proof.js'
import type { Instant } from '../domain/instant.js'
import type { NewAccount } from './accounts.js'

/** The proof to use up, and the current time. */
export type ProofUse = { readonly digest: ProofDigest; readonly at: Instant }

/** A new account, whose email and roles come from a proof. */
export type ProvenAccount = ProofUse & {
  readonly account: Omit<NewAccount, 'email' | 'enteredEmail' | 'roles'>
}

/** The outcome of `createAccount`. */
export type ProvenInsertion =
  | { readonly kind: 'created'; readonly id: AccountId }
  /** By now, an account has this email; the proof is used up. */
  | { readonly kind: 'email-taken' }
  /** A role of the invitation was deleted; the proof remains. */
  | { readonly kind: 'unknown-role'; readonly role: RoleKey }
  | { readonly kind: 'spent' }

/**
 * Email proofs. A proof is valid if it is unexpired and, if it has an epoch, its account is enabled and still has this epoch. Of the
 * `reset-password` proofs of an account that have its epoch, only the last `RESET_PROOFS_MAX` by `until` and then by ID are valid. Only one
 * of any number of concurrent callers uses up a proof, even across processes; all others get `spent`, as for an unknown digest. Results are
 * copies or deeply frozen.
 */
export type Proofs = {
  /** Stores the proof, unless the proof's account does not exist. Replaces a proof with the same ID. */
  issue(proof: Proof): Promise<void>
  /**
   * Replaces the secrets of a proof, sets `attempts` to 0, and returns the proof. Returns `undefined` if the proof was used up or removed,
   * and does not make it valid again.
   */
  renew(renewal: ProofRenewal): Promise<Proof | undefined>
  /** Returns the proof with this digest if it is valid at this time. Changes nothing. */
  find(use: ProofUse): Promise<Proof | undefined>
  /**
   * Counts an attempt to guess the code of the valid proof with this binding, and returns the proof. Returns `undefined` if there is no
   * such proof, or if its code was tried `CODE_ATTEMPTS_MAX` times before. Atomic: at most `CODE_ATTEMPTS_MAX` concurrent callers get the
   * proof.
   */
  attempt(binding: ProofDigest, at: Instant): Promise<Proof | undefined>
  /** Uses up a valid proof with the purpose `login`. */
  consume(use: ProofUse): Promise<'consumed' | 'spent'>
  /** Uses up a valid sign-up or invitation proof, and inserts the account, in one atomic change. See `Accounts.insert`. */
  createAccount(proven: ProvenAccount): Promise<ProvenInsertion>
  /**
   * Uses up a valid email-change proof, sets its account's email, increments the epoch, and stores `undo`, all in one atomic change. With
   * the proof `undo`, the previous email can be restored. If the email is taken, only the proof is used up. See `Accounts.changeEmail`.
   */
  changeEmail(use: ProofUse, undo: Proof): Promise<'changed' | 'email-taken' | 'spent'>
  /**
   * Uses up a valid proof that restores the account's previous email. Also uses up every proof that could undo a later change, so that a
   * thief cannot take the account back. Sets the email and increments the epoch, unless the email is taken.
   */
  undoEmail(use: ProofUse): Promise<'changed' | 'email-taken' | 'spent'>
  /**
   * Uses up a valid password-reset proof, sets its account's password, and increments the epoch, in one atomic change. Also removes all
   * other `reset-password` proofs of the account. Returns the account's ID. See `Accounts.setPassword`.
   */
  resetPassword(use: ProofUse, hash: PasswordHash): Promise<AccountId | 'spent'>
  /** Returns the proof with this ID, even if it is invalid. */
  get(id: ProofId): Promise<Proof | undefined>
  /** Returns at most `limit` proofs with the given purpose and IDs above `after`, ordered by ID, including expired proofs. */
  page(purpose: ProofPurpose, after: ProofId | undefined, limit: number): Promise<readonly Proof[]>
  /** Returns all proofs of the account, including invalid proofs, ordered by ID. */
  listOf(accountId: AccountId): Promise<readonly Proof[]>
  /** Removes a proof. Only one concurrent caller gets `removed`; a removal and a call that uses up the proof never both succeed. */
  remove(id: ProofId, at: Instant): Promise<'removed' | 'unknown'>
  /** Removes at most `limit` proofs that have expired by `at`; returns the number removed. */
  purge(at: Instant, limit: number): Promise<number>
}
