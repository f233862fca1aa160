import type { TokenKind, Claims } from '../domain/identity/claims.js'
import type { JsonObject } from '../domain/identity/json-object.js'
import type { Instant } from '../domain/instant.js'

/** How tokens are signed: HMAC with SHA-512, or Ed25519 in JWT or PASETO format. */
export type TokenUse = 'HS512' | 'EdDSA' | 'v4.public'

/** A public key as a JWK (RFC 7517, RFC 8037). */
export type PublicKey = {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly use: 'sig'
  /** Present only if the tokens are JWTs. */
  readonly alg?: 'EdDSA'
}

/** The maximum length of a token in characters, in any format. */
export const TOKEN_MAX = 8192

/** Encodes and decodes signed tokens with a key ring. Does not check what the claims mean or whether the token has expired. */
export type TokenFormat = {
  /** The ID of the key that currently signs. */
  readonly currentKid: string
  /** All keys that verify tokens, the current key first; empty for HMAC. */
  readonly publicKeys: readonly PublicKey[]
  /**
   * Signs a claim set. Deterministic: the same claim set and `kid` give the same string in every process with that key. Returns `undefined`
   * if the key ring does not contain the key. Times (`iat`, `nbf`, `exp`) are whole seconds.
   */
  seal(kind: TokenKind, claimSet: JsonObject, kid: string): Promise<string | undefined>
  /**
   * Verifies a token and returns its claim set. Rejects if the string is not an authentic token, if possible with a TokenError. Never
   * fetches a URL named in the token.
   */
  open(kind: TokenKind, token: string): Promise<JsonObject>
  /** Returns a short description of an error that `open` threw, for the log; contains no part of the token. */
  describe(error: unknown): string
}

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
   * Deterministic: the same claims and `kid` give the same bytes in every process with that key. Returns `undefined` if the key ring does
   * not contain the key. Refuses with `forbidden` if the roles of the login make the token too long.
   */
  sign(claims: Claims, kid: string): Promise<string | undefined>
  /**
   * Checks the algorithm, kind, key, signature, issuer and audience, every claim and its type, and that the lifetime is not longer than
   * configured. Never throws. A token expires at `exp` plus 5 seconds of leeway, and is invalid before `nbf` minus 30 seconds.
   */
  verify(kind: TokenKind, token: string, at: Instant): Promise<Verification>
}
