// Creates session keys, API keys and the secrets of email proofs, and computes their digests.
import { createHmac, hash, randomBytes } from 'node:crypto'
import type { ApiKeyDigest } from '../../domain/access/api-key.js'
import type { ProofDigest, ProofSecret } from '../../domain/identity/proof.js'
import type { KeyDigest, SessionKey } from '../../domain/identity/session.js'
import type { ApiKeySecrets, ProofSecrets, SessionKeys } from '../../ports/session-keys.js'
import type { KeyRing } from './key-ring.js'

const KEY_BYTES = 32

/** The fixed prefix lets secret scanners find leaked API keys. */
const API_KEY_PREFIX = 'kennel_'

/** Creates session keys of 43 characters (256 bits, base64url). */
export function createSessionKeys(ring: KeyRing): SessionKeys {
  const secrets = new Map(ring.all.map((keys) => [keys.kid, keys.sessionSecret]))
  return {
    fresh: () => randomBytes(KEY_BYTES).toString('base64url') as SessionKey,
    digest: (key) => sha256(key) as KeyDigest,
    successor(kid, previous, session, generation) {
      const secret = secrets.get(kid)
      if (secret === undefined) return undefined
      // A JSON array, because a plain concatenation of the three values would be ambiguous.
      const message = JSON.stringify([previous, session, generation])
      return createHmac('sha256', secret).update(message).digest('base64url') as SessionKey
    },
  }
}

/** Creates API keys with the prefix `kennel_` and 256 random bits. */
export function createApiKeySecrets(): ApiKeySecrets {
  return {
    fresh: () => API_KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url'),
    digest: (key) => sha256(key) as ApiKeyDigest,
  }
}

/** Codes omit letters and digits that look alike. Each of the 32 characters is equally likely, because 256 is a multiple of 32. */
const CODE_CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const CODE_LENGTH = 8

/** Creates the secrets of email proofs. */
export function createProofSecrets(): ProofSecrets {
  return {
    fresh: () => randomBytes(KEY_BYTES).toString('base64url') as ProofSecret,
    freshCode: () =>
      Array.from(randomBytes(CODE_LENGTH), (byte) => CODE_CHARACTERS[byte % CODE_CHARACTERS.length]).join(''),
    digest: (secret) => sha256(secret) as ProofDigest,
  }
}

/** A fast hash is enough: slow hashing would not protect 256 random bits any better. */
function sha256(text: string): string {
  return hash('sha256', text, 'base64url')
}
