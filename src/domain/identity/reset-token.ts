import type { Instant } from '../instant.js'
import type { MailJobId } from '../mail.js'

/** The secret in the link of a reset email: 256 bits in base64url. Never stored, never logged. */
export type ResetToken = string & { readonly brand: 'ResetToken' }
/** The SHA-256 digest of a reset token in base64url, the only form that a store keeps. */
export type ResetDigest = string & { readonly brand: 'ResetDigest' }

/** The maximum number of valid reset tokens of an account; when it is exceeded, the oldest tokens become void. */
export const RESET_TOKENS_MAX = 3

/** A reset token in the form that a store keeps with the account. */
export type IssuedResetToken = {
  readonly digest: ResetDigest
  /** The token is invalid from this moment on. */
  readonly until: Instant
  /** The email that contains the token. Each attempt to send this email creates a new token, which replaces the previous token. */
  readonly mailJobId: MailJobId
}
