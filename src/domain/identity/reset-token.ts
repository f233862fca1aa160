import type { Instant } from '../instant.js'

/** The secret in the link of a reset mail: 256 bit, base64url. Never stored, never logged. */
export type ResetToken = string & { readonly brand: 'ResetToken' }
/** SHA-256 of a reset token, base64url: all that a store ever holds of it. */
export type ResetDigest = string & { readonly brand: 'ResetDigest' }

/** What a store keeps with an account while its password may be reset. */
export type ResetOffer = {
  readonly digest: ResetDigest
  /** From then on it is worth nothing. */
  readonly until: Instant
}
