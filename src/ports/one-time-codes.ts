import type { Email } from '../domain/identity/email.js'
import type { FactorSecret, RecoveryCode, TimeStep } from '../domain/identity/second-factor.js'
import type { Instant } from '../domain/instant.js'

/** Data for an authenticator app. Contains the secret: shown once, never logged. */
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
  /** Returns the data with which an authenticator app is set up for the account with this email. */
  enrolment(secret: FactorSecret, email: Email): Enrolment
  /**
   * Returns the step of the code, which may be the step of `at`, the previous or the next one; `undefined` for any
   * other text. The duration does not reveal which digits are correct.
   */
  stepOf(secret: FactorSecret, code: string, at: Instant): TimeStep | undefined
}
