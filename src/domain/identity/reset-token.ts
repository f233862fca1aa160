import type { Instant } from '../instant.js'
import type { MailJobId } from '../mail.js'

/** The secret in the link of a reset mail: 256 bit, base64url. Never stored, never logged. */
export type ResetToken = string & { readonly brand: 'ResetToken' }
/** SHA-256 of a reset token, base64url: all that a store ever holds of it. */
export type ResetDigest = string & { readonly brand: 'ResetDigest' }

/** How many reset tokens of an account are valid concurrently: the newest, each until its own end. */
export const RESET_TOKENS_MAX = 3

/** A reset token as a store keeps it with its account. */
export type IssuedResetToken = {
  readonly digest: ResetDigest
  /** The token is invalid from this moment on. */
  readonly until: Instant
  /** The mail with the token. Each attempt to send the mail makes a new token, which replaces the previous token. */
  readonly mailJobId: MailJobId
}
