import type { Instant } from '../instant.js'
import type { MailJobId } from '../mail.js'

/** The secret in the link of a reset mail: 256 bit, base64url. Never stored, never logged. */
export type ResetToken = string & { readonly brand: 'ResetToken' }
/** SHA-256 of a reset token, base64url: the only form that a store keeps. */
export type ResetDigest = string & { readonly brand: 'ResetDigest' }

/** How many reset tokens of an account can be valid at the same time; the newest ones count. */
export const RESET_TOKENS_MAX = 3

/** A reset token in the form that a store keeps with the account. */
export type IssuedResetToken = {
  readonly digest: ResetDigest
  /** The token is invalid from this moment on. */
  readonly until: Instant
  /** The mail that contains the token. Each attempt to send it makes a new token, which replaces the previous one. */
  readonly mailJobId: MailJobId
}
