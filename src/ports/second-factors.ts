import type { AccountId } from '../domain/identity/account.js'
import type {
  RecoveryDigest,
  SealedSecret,
  SecondFactor,
  TimeStep,
} from '../domain/identity/second-factor.js'
import type { Instant } from '../domain/instant.js'

/** What makes a factor that was set up an active one. */
export type SecondFactorActivation = {
  /** The one that the code was of. */
  readonly sealedSecret: SealedSecret
  /** Of the code that confirmed it. */
  readonly step: TimeStep
  /** Of new recovery codes; a digest twice is one. */
  readonly recovery: readonly RecoveryDigest[]
  readonly at: Instant
}

/** What a right code uses up: its step, or the recovery code itself. */
export type CodeProof =
  | { readonly kind: 'step'; readonly step: TimeStep }
  | { readonly kind: 'recovery'; readonly digest: RecoveryDigest }

/** New recovery codes, and the code that proves the owner. */
export type RecoveryRenewal = {
  readonly proof: CodeProof
  /** Digests of the new codes; a digest twice is one. */
  readonly recovery: readonly RecoveryDigest[]
}

/**
 * Second factors of accounts, at most one each: set up, and then active. It goes with its account. While it is active
 * the account has `secondFactor` in every answer of `Accounts` and `Sessions`; the write that makes it active, or takes it
 * away, is the one that changes that. It moves no epoch and ends no session.
 */
export type SecondFactors = {
  /** Sets one up, in the place of one that was set up before; an active one stays as it is. */
  begin(
    id: AccountId,
    pending: { readonly sealedSecret: SealedSecret; readonly at: Instant },
  ): Promise<'begun' | 'active' | 'unknown-account'>
  /**
   * Makes the factor that was set up active, in one write that succeeds only where it is not active and still has this
   * secret. Of any number of callers, in any number of processes, exactly one gets `activated`.
   */
  activate(id: AccountId, activation: SecondFactorActivation): Promise<'activated' | 'changed'>
  /** The factor, active or not. `undefined` where there is none, or no account. */
  find(id: AccountId): Promise<SecondFactor | undefined>
  /**
   * Keeps the step of a code that was right, where it is greater than every one that was kept before, and is
   * `spent` else, also where no factor is active. Of any number of callers with one step exactly one gets `taken`.
   */
  takeStep(id: AccountId, step: TimeStep): Promise<'taken' | 'spent'>
  /**
   * Takes a recovery code of the active factor away. Of any number of callers with one digest, in any number of
   * processes, exactly one gets `taken`.
   */
  takeRecovery(id: AccountId, digest: RecoveryDigest): Promise<'taken' | 'unknown'>
  /**
   * Uses up the code as `takeStep` or `takeRecovery` does, and replaces all recovery codes in the same write. If the code is
   * `spent`, or no factor is active, nothing changes. Exactly one of any number of callers with one code gets `renewed`.
   */
  renewRecovery(id: AccountId, renewal: RecoveryRenewal): Promise<'renewed' | 'spent'>
  /** Compare-and-swap of the sealed secret, for the same secret that was sealed anew. */
  reseal(id: AccountId, before: SealedSecret, next: SealedSecret): Promise<'resealed' | 'changed'>
  /**
   * Takes the factor away, active or not, with its recovery codes. Of any number of callers one gets `removed`. Of the
   * sessions of the account, and of those in which it acts, none has `factor` after it: none that was begun with this
   * factor counts as begun with the next one.
   */
  remove(id: AccountId): Promise<'removed' | 'unknown'>
}
