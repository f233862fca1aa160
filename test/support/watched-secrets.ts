import type { ProofSecrets, SessionKeys } from '../../src/ports/session-keys.js'

/** Receives each secret that a service creates, even if no reply contains the secret. */
export type OnSecret = (kind: 'session cookie' | 'email proof', secret: string) => void

export function watchedKeys(keys: SessionKeys, onSecret: OnSecret): SessionKeys {
  const seen = <Key extends string | undefined>(key: Key) => {
    if (key !== undefined) onSecret('session cookie', key)
    return key
  }
  return {
    ...keys,
    fresh: () => seen(keys.fresh()),
    successor: (...given) => seen(keys.successor(...given)),
  }
}

export function watchedSecrets(secrets: ProofSecrets, onSecret: OnSecret): ProofSecrets {
  return {
    ...secrets,
    fresh: () => {
      const secret = secrets.fresh()
      onSecret('email proof', secret)
      return secret
    },
  }
}
