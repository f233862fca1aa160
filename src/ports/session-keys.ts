import type { ApiKeyDigest } from '../domain/access/api-key.js'
import type { ProofDigest, ProofSecret } from '../domain/identity/proof.js'
import type { KeyDigest, SessionId, SessionKey } from '../domain/identity/session.js'

/** Creates the opaque secrets that clients hold, and computes their digests. */
export type SessionKeys = {
  /** Returns a new key of 256 random bits. */
  fresh(): SessionKey
  /** SHA-256, base64url. */
  digest(key: SessionKey): KeyDigest
  /**
   * Returns the key of the next generation: HMAC(server key of `kid`, previous ‖ session ‖ generation). Only a client with the previous key
   * can get the next key, and repeated requests always get the same next key. Returns `undefined` if the key ring has no key with this
   * `kid`.
   */
  successor(kid: string, previous: SessionKey, session: SessionId, generation: number): SessionKey | undefined
}

/** Creates the secrets of email proofs, and computes their digests. */
export type ProofSecrets = {
  /** Returns a new secret of 256 random bits, for a link or for the cookie of the requesting browser. */
  fresh(): ProofSecret
  /** Returns a new code of 8 characters (40 random bits) that users can type. */
  freshCode(): string
  /** SHA-256, base64url. */
  digest(secret: string): ProofDigest
}

/** Creates API keys, and computes their digests. */
export type ApiKeySecrets = {
  /** Returns a new key of 256 random bits. */
  fresh(): string
  /** SHA-256, base64url. */
  digest(key: string): ApiKeyDigest
}
