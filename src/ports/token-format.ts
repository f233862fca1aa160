import type { TokenKind } from '../domain/identity/claims.js'
import type { JsonObject } from '../domain/identity/json-object.js'

/** The signature of tokens: HMAC with SHA-512, or Ed25519 in two formats. */
export type TokenUse = 'HS512' | 'EdDSA' | 'v4.public'

/** A public key in the form of RFC 7517 and RFC 8037. */
export type PublicKey = {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly use: 'sig'
  /** Only if the tokens are JWTs. */
  readonly alg?: 'EdDSA'
}

/** The most characters that a token may have, in any format. */
export const TOKEN_MAX = 8192

/**
 * Seals claim sets into tokens and opens them, with a ring of keys. Does not judge the meaning of claims or their times.
 */
export type TokenFormat = {
  /** The key that signs now. */
  readonly currentKid: string
  /** Every key that verifies, the current key first; empty if the keys are secret. */
  readonly publicKeys: readonly PublicKey[]
  /**
   * Equal claim set and `kid` give equal text, in every process with that key; `undefined` if the ring does not have the
   * key. Times (`iat`, `nbf`, `exp`) are whole seconds.
   */
  seal(kind: TokenKind, claimSet: JsonObject, kid: string): Promise<string | undefined>
  /**
   * The claim set of an authentic token of this kind. Rejects any other text, with a TokenError where possible; connects
   * to no address in the token.
   */
  open(kind: TokenKind, token: string): Promise<JsonObject>
  /** Describes an error of `open` in a few words for the log, without any part of the token. */
  describe(error: unknown): string
}
