import type { ApiKeyDigest } from '../domain/access/api-key.js'
import type { ResetDigest, ResetToken } from '../domain/identity/reset-token.js'
import type { KeyDigest, SessionId, SessionKey } from '../domain/identity/session.js'

/** Makes and digests the opaque secrets that clients hold. */
export type SessionKeys = {
  /** A new key of 256 random bits. */
  fresh(): SessionKey
  /** SHA-256, base64url. */
  digest(key: SessionKey): KeyDigest
  /**
   * Returns the key of the next generation: HMAC(server key of `kid`, previous ‖ session ‖ generation). Only a client
   * with the previous key can get it, and gets the same key again. Returns `undefined` if the ring has no such `kid`.
   */
  successor(kid: string, previous: SessionKey, session: SessionId, generation: number): SessionKey | undefined
}

/** Makes and digests the tokens of reset mails. */
export type ResetTokens = {
  /** A new token of 256 random bits. */
  fresh(): ResetToken
  /** SHA-256, base64url. */
  digest(token: string): ResetDigest
}

/** Makes and digests API keys. */
export type ApiKeySecrets = {
  /** A new key of 256 random bits. */
  fresh(): string
  /** SHA-256, base64url. */
  digest(key: string): ApiKeyDigest
}
