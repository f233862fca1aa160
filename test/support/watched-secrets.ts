import type { SessionKeys } from '../../src/ports/session-keys.js'

/** The kinds of secrets that occur only in an email or, for proofs, in an email and a cookie. */
type MailedKind = 'reset token' | 'email proof'

/** Receives each secret that a service creates, even if no reply contains the secret. */
export type OnSecret = (kind: 'session cookie' | MailedKind, secret: string) => void

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

export function watchedSecrets<Secrets extends { fresh(): string }>(
  kind: MailedKind,
  secrets: Secrets,
  onSecret: OnSecret,
): Secrets {
  return {
    ...secrets,
    fresh: () => {
      const secret = secrets.fresh()
      onSecret(kind, secret)
      return secret
    },
  }
}
