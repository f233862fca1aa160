import type { Claims, TokenKind } from '../domain/identity/claims.js'
import type { Instant } from '../domain/instant.js'

/** What a token turned out to be. */
export type Verification =
  | { readonly kind: 'valid'; readonly claims: Claims }
  /** Authentic in every other way. */
  | { readonly kind: 'expired'; readonly claims: Claims }
  /** `detail` is for the log only. */
  | { readonly kind: 'invalid'; readonly detail: string }

/** Signs and verifies tokens with a ring of keys: one signs, all verify. */
export type TokenSigner = {
  /** The key that signs now. */
  readonly currentKid: string
  /**
   * The same claims and kid give the same bytes, in every process with that key. `undefined`
   * where the key is not in the ring any more.
   */
  sign(claims: Claims, kid: string): Promise<string | undefined>
  /**
   * Checks algorithm, kind, key, signature, issuer, audience, every claim and its type, and the
   * lifetime against the configured one. Throws nothing that comes from a token. A token is
   * expired from `exp` plus 5 seconds of leeway on, and invalid before `nbf` minus the same.
   */
  verify(kind: TokenKind, token: string, at: Instant): Promise<Verification>
}
