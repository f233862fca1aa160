import type { ResetTokens, SessionKeys } from '../../src/ports/session-keys.js'

/** Receives each secret that a service makes, even if no reply carries it. */
export type OnSecret = (kind: 'session cookie' | 'reset token', secret: string) => void

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

export function watchedResets(tokens: ResetTokens, onSecret: OnSecret): ResetTokens {
  return {
    ...tokens,
    fresh: () => {
      const token = tokens.fresh()
      onSecret('reset token', token)
      return token
    },
  }
}
