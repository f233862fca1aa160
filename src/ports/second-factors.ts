import type { AccountId } from '../domain/identity/account.js'
import type {
  RecoveryDigest,
  SealedSecret,
  SecondFactor,
  TimeStep,
} from '../domain/identity/second-factor.js'
import type { Instant } from '../domain/instant.js'

/** Activates a pending factor. */
export type SecondFactorActivation = {
  /** The secret of the code. */
  readonly sealedSecret: SealedSecret
  /** The step of the confirming code. */
  readonly step: TimeStep
  /** Digests of new recovery codes; a repeated digest counts once. */
  readonly recovery: readonly RecoveryDigest[]
  readonly at: Instant
}

/** The step of a correct code, and when the factor of the code was confirmed. */
export type TakenStep = { readonly step: TimeStep; readonly since: Instant }

/** The part of a correct code that is used up: its step, or the recovery code itself. */
export type CodeProof =
  ({ readonly kind: 'step' } & TakenStep) | { readonly kind: 'recovery'; readonly digest: RecoveryDigest }

/** New recovery codes, and the code that proves the owner. */
export type RecoveryRenewal = {
  readonly proof: CodeProof
  /** Digests of the new codes; a repeated digest counts once. */
  readonly recovery: readonly RecoveryDigest[]
}

/**
 * Second factors, at most one for each account: pending, then active. It is removed with its account. While it is active
 * the account has `secondFactor` in every answer of `Accounts` and `Sessions`, changed by the same write. It changes no
 * epoch and no session: a session names the factor that it has proved.
 */
export type SecondFactors = {
  /** Starts a pending factor and replaces an earlier pending factor; an active factor stays. */
  begin(
    id: AccountId,
    pending: { readonly sealedSecret: SealedSecret; readonly at: Instant },
  ): Promise<'begun' | 'active' | 'unknown-account'>
  /**
   * Activates the pending factor, in one write that succeeds only if it is not active and still has this secret. Any
   * number of callers, in any number of processes: exactly one gets `activated`.
   */
  activate(id: AccountId, activation: SecondFactorActivation): Promise<'activated' | 'changed'>
  /** The factor, active or not; `undefined` if there is no factor or no account. */
  find(id: AccountId): Promise<SecondFactor | undefined>
  /**
   * Stores the step of a correct code if it is greater than every stored step; otherwise `spent`, also if no factor is
   * active, or a factor of another time. Any number of callers with one step: exactly one gets `taken`.
   */
  takeStep(id: AccountId, taken: TakenStep): Promise<'taken' | 'spent'>
  /**
   * Removes a recovery code of the active factor. Any number of callers with one digest, in any number of processes:
   * exactly one gets `taken`.
   */
  takeRecovery(id: AccountId, digest: RecoveryDigest): Promise<'taken' | 'unknown'>
  /**
   * Uses up the code as `takeStep` or `takeRecovery` does, and replaces all recovery codes in the same write. `spent`,
   * and nothing changes, if the code is spent or no factor is active. Any number of callers with one code: exactly one
   * gets `renewed`.
   */
  renewRecovery(id: AccountId, renewal: RecoveryRenewal): Promise<'renewed' | 'spent'>
  /** Compare-and-swap of the sealed secret, for another sealing of the same secret. */
  reseal(id: AccountId, before: SealedSecret, next: SealedSecret): Promise<'resealed' | 'changed'>
  /**
   * Removes the factor, active or not, with its recovery codes; exactly one caller gets `removed`.
   */
  remove(id: AccountId): Promise<'removed' | 'unknown'>
}
