import type { AccountId } from '../domain/identity/account.js'
import type { Email } from '../domain/identity/email.js'
import type {
  RecoveryDigest,
  SealedSecret,
  SecondFactor,
  TimeStep,
  FactorSecret,
  RecoveryCode,
} from '../domain/identity/second-factor.js'
import type { Instant } from '../domain/instant.js'

/** A request to activate a pending factor. */
export type SecondFactorActivation = {
  /** The encrypted secret that the code was verified with. */
  readonly sealedSecret: SealedSecret
  /** The time step of the confirming code. */
  readonly step: TimeStep
  /** The digests of the new recovery codes; duplicates are ignored. */
  readonly recovery: readonly RecoveryDigest[]
  readonly at: Instant
}

/** The time step of a correct code, and the time when the factor of this code was confirmed. */
export type TakenStep = { readonly step: TimeStep; readonly since: Instant }

/** Identifies the correct code to use up, by its time step or by the digest of the recovery code. */
export type CodeProof =
  ({ readonly kind: 'step' } & TakenStep) | { readonly kind: 'recovery'; readonly digest: RecoveryDigest }

/** New recovery codes, and the code that authorizes them. */
export type RecoveryRenewal = {
  readonly proof: CodeProof
  /** The digests of the new codes; duplicates are ignored. */
  readonly recovery: readonly RecoveryDigest[]
}

/**
 * Second factors. An account has at most one second factor, which starts as pending, becomes active, and is removed with the account. While
 * the factor is active, the account has `secondFactor` in every result of `Accounts` and `Sessions`; the same write changes both. No call
 * changes the epoch or a session; a session records the second factor that was used for its login.
 */
export type SecondFactors = {
  /** Starts a pending factor, which replaces an earlier pending factor but not an active one. */
  begin(
    id: AccountId,
    pending: { readonly sealedSecret: SealedSecret; readonly at: Instant },
  ): Promise<'begun' | 'active' | 'unknown-account'>
  /**
   * Activates the pending factor, in one write that succeeds only if the factor is not active and still has this secret. Only one
   * concurrent caller gets `activated`, even across processes.
   */
  activate(id: AccountId, activation: SecondFactorActivation): Promise<'activated' | 'changed'>
  /** Returns the factor, active or pending, or `undefined` if the account has no factor or does not exist. */
  find(id: AccountId): Promise<SecondFactor | undefined>
  /**
   * Stores the step of a correct code if it is greater than the stored step. Otherwise returns `spent`. Also returns `spent` if no factor
   * is active, or if the active factor was confirmed at a different time. Only one concurrent caller with the same step gets `taken`.
   */
  takeStep(id: AccountId, taken: TakenStep): Promise<'taken' | 'spent'>
  /** Removes a recovery code of the active factor. Only one concurrent caller with the same digest gets `taken`, even across processes. */
  takeRecovery(id: AccountId, digest: RecoveryDigest): Promise<'taken' | 'unknown'>
  /**
   * Uses up the code like `takeStep` or `takeRecovery`, and replaces all recovery codes in the same write. Returns `spent` and changes
   * nothing if the code was used or no factor is active. Only one concurrent caller with the same code gets `renewed`.
   */
  renewRecovery(id: AccountId, renewal: RecoveryRenewal): Promise<'renewed' | 'spent'>
  /** Replaces the encrypted secret with the same secret, encrypted again. Compare-and-swap. */
  reseal(id: AccountId, before: SealedSecret, next: SealedSecret): Promise<'resealed' | 'changed'>
  /** Removes the factor, active or pending, with its recovery codes; exactly one caller gets `removed`. */
  remove(id: AccountId): Promise<'removed' | 'unknown'>
}

/** The data for an authenticator app. Contains the secret, so it is shown only once and never logged. */
export type Enrolment = {
  /** The URI `otpauth://totp/…`, with the name of the service and the account's email. */
  readonly uri: string
  /** The URI as a QR code: an SVG image without scripts, styles or references. */
  readonly qrCode: string
}

/**
 * Generates and checks time-based codes (RFC 6238), and recovery codes for a lost device. A new secret uses HMAC with
 * SHA-1, six digits and thirty seconds; an imported secret may contain other parameters, see `FactorSecret`.
 */
export type OneTimeCodes = {
  /** Returns a new secret of 160 random bits. */
  freshSecret(): FactorSecret
  /** Returns a new recovery code of 80 random bits. */
  freshRecoveryCode(): RecoveryCode
  /** Returns the data for setting up an authenticator app for the account with this email. */
  enrolment(secret: FactorSecret, email: Email): Enrolment
  /**
   * Returns the time step of the code if this is the step of `at`, the step before it or the step after it; returns `undefined` for any
   * other string. The algorithm, the number of digits and the length of a step are parameters in the secret. The running time does not
   * reveal which digits are correct.
   */
  stepOf(secret: FactorSecret, code: string, at: Instant): TimeStep | undefined
}

/** A decrypted secret. */
export type OpenedSecret = {
  readonly secret: FactorSecret
  /** `false` if the secret was encrypted with a previous key and should be encrypted again. */
  readonly isCurrent: boolean
}

/** Encrypts secrets with a key ring (one key encrypts, all keys decrypt), so that access to a store alone reveals no secret. */
export type SecretSeal = {
  /** Encrypts the secret with the current key, for this account only. Two calls with the same secret return different ciphertexts. */
  seal(secret: FactorSecret, account: AccountId): Promise<SealedSecret>
  /** Returns `undefined` if no key of the ring decrypts the string, or if the string was encrypted for another account. */
  open(sealed: SealedSecret, account: AccountId): Promise<OpenedSecret | undefined>
}
