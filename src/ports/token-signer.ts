import type { Claims, TokenKind } from '../domain/identity/claims.js'
import type { Instant } from '../domain/instant.js'

/** The outcome of verifying a token. */
export type Verification =
  | { readonly kind: 'valid'; readonly claims: Claims }
  /** Valid except for its expiry. */
  | { readonly kind: 'expired'; readonly claims: Claims }
  /** `detail` is for the log only. */
  | { readonly kind: 'invalid'; readonly detail: string }

/** Signs and verifies tokens with a key ring; one key signs, all keys verify. */
export type TokenSigner = {
  /** The ID of the key that currently signs. */
  readonly currentKid: string
  /**
   * Deterministic: the same claims and `kid` give the same bytes in every process with that key. Returns `undefined` if the key ring does not
   * contain the key. Refuses with `forbidden` if the roles of the login make the token too long.
   */
  sign(claims: Claims, kid: string): Promise<string | undefined>
  /**
   * Checks the algorithm, kind, key, signature, issuer and audience, every claim and its type, and that the lifetime is not longer than
   * configured. Never throws. A token expires at `exp` plus 5 seconds of leeway, and is invalid before `nbf` minus 30 seconds.
   */
  verify(kind: TokenKind, token: string, at: Instant): Promise<Verification>
}
