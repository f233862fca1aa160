import type { Email } from '../domain/identity/email.js'
import type { FactorSecret, RecoveryCode, TimeStep } from '../domain/identity/second-factor.js'
import type { Instant } from '../domain/instant.js'

/** What an authenticator app reads. It holds the secret: shown once, never logged. */
export type Enrolment = {
  /** `otpauth://totp/…`, with the name of the service and the account's email. */
  readonly uri: string
  /** The same as a QR code: the text of an SVG image without script, style or reference. */
  readonly qrCode: string
}

/** Codes by time (RFC 6238: HMAC with SHA-1, six digits, thirty seconds), and those for when the device is gone. */
export type OneTimeCodes = {
  /** A new secret of 160 random bits. */
  freshSecret(): FactorSecret
  /** A new recovery code of 80 random bits. */
  freshRecoveryCode(): RecoveryCode
  /** What an app is given to make codes of this secret, for the account of this email. */
  enrolment(secret: FactorSecret, email: Email): Enrolment
  /**
   * The step whose code it is: that of `at`, the one before or the one after. `undefined` for every other text, in the
   * same time whichever of its digits are right.
   */
  stepOf(secret: FactorSecret, code: string, at: Instant): TimeStep | undefined
}
