import type { Instant } from '../instant.js'
import type { MailJobId } from '../mail.js'

/** The secret in the link of a reset mail: 256 bit, base64url. Never stored, never logged. */
export type ResetToken = string & { readonly brand: 'ResetToken' }
/** SHA-256 of a reset token, base64url: all that a store ever holds of it. */
export type ResetDigest = string & { readonly brand: 'ResetDigest' }

/** How many tokens of an account are good at once: the newest ones, each for its own time. */
export const RESET_TOKENS_MAX = 3

/** What a store keeps with an account while its password may be reset. */
export type IssuedResetToken = {
  readonly digest: ResetDigest
  /** From then on it is worth nothing. */
  readonly until: Instant
  /** The mail that has the token. Each try of a mail makes a token of its own in the place of the one before. */
  readonly mailJobId: MailJobId
}
