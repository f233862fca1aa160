import type { Email } from '../domain/identity/email.js'
import type { FactorSecret, RecoveryCode, TimeStep } from '../domain/identity/second-factor.js'
import type { Instant } from '../domain/instant.js'

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
   * Returns the time step of the code if this is the step of `at`, the step before it or the step after it; returns `undefined` for any other
   * string. The algorithm, the number of digits and the length of a step are parameters in the secret. The running time does not reveal which
   * digits are correct.
   */
  stepOf(secret: FactorSecret, code: string, at: Instant): TimeStep | undefined
}
