import { createHmac, hash, randomBytes } from 'node:crypto'
import type { ApiKeyDigest } from '../../domain/access/api-key.js'
import type { ResetDigest, ResetToken } from '../../domain/identity/reset-token.js'
import type { KeyDigest, SessionKey } from '../../domain/identity/session.js'
import type { ApiKeySecrets, ResetTokens, SessionKeys } from '../../ports/session-keys.js'
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
      // The JSON array encodes the three values unambiguously.
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

/** Creates reset tokens of 43 characters (256 bits, base64url). */
export function createResetTokens(): ResetTokens {
  return {
    fresh: () => randomBytes(KEY_BYTES).toString('base64url') as ResetToken,
    digest: (token) => sha256(token) as ResetDigest,
  }
}

/** A fast hash is enough: slow hashing would not protect 256 random bits any better. */
function sha256(text: string): string {
  return hash('sha256', text, 'base64url')
}
