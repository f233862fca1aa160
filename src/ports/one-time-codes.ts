import type { Email } from '../domain/identity/email.js'
import type { FactorSecret, RecoveryCode, TimeStep } from '../domain/identity/second-factor.js'
import type { Instant } from '../domain/instant.js'

/** Data for an authenticator app. It holds the secret: shown once, never logged. */
export type Enrolment = {
  /** `otpauth://totp/…`, with the name of the service and the account's email. */
  readonly uri: string
  /** The URI as a QR code: an SVG image without script, style or reference. */
  readonly qrCode: string
}

/** Time-based codes (RFC 6238: HMAC with SHA-1, six digits, thirty seconds), and recovery codes for a lost device. */
export type OneTimeCodes = {
  /** A new secret of 160 random bits. */
  freshSecret(): FactorSecret
  /** A new recovery code of 80 random bits. */
  freshRecoveryCode(): RecoveryCode
  /** The data with which an app makes codes of this secret, for the account of this email. */
  enrolment(secret: FactorSecret, email: Email): Enrolment
  /**
   * The step of the code: the step of `at`, the previous step or the next step. `undefined` for every other text; the
   * duration does not reveal which digits are right.
   */
  stepOf(secret: FactorSecret, code: string, at: Instant): TimeStep | undefined
}
