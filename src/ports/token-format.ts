import type { TokenKind } from '../domain/identity/claims.js'
import type { JsonObject } from '../domain/identity/json-object.js'

/** What tokens are signed with: HMAC with SHA-512, or Ed25519 in one of two formats. */
export type TokenUse = 'HS512' | 'EdDSA' | 'v4.public'

/** A public key as RFC 7517 and RFC 8037 write it. */
export type PublicKey = {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly use: 'sig'
  /** Only where the tokens are JWTs. */
  readonly alg?: 'EdDSA'
}

/** The most characters that a token may have, in any format. */
export const TOKEN_MAX = 8192

/**
 * Seals claim sets into tokens and opens them, with a ring of keys. What the claims mean, and
 * whether it is the time for them, is not its affair.
 */
export type TokenFormat = {
  /** The key that signs now. */
  readonly currentKid: string
  /** Of every key that verifies, the current one first; none where the keys are secret. */
  readonly publicKeys: readonly PublicKey[]
  /**
   * The same claim set and kid give the same text, in every process with that key. `undefined`
   * where the key is not in the ring any more. Times (`iat`, `nbf`, `exp`) come as whole seconds.
   */
  seal(kind: TokenKind, claimSet: JsonObject, kid: string): Promise<string | undefined>
  /**
   * The claim set of an authentic token of this kind. Rejects, with a TokenError where possible,
   * for any other text; opens no connection, whatever addresses are in the token.
   */
  open(kind: TokenKind, token: string): Promise<JsonObject>
  /** A few words about what `open` rejected with, for the log; nothing of the token is in them. */
  describe(error: unknown): string
}
