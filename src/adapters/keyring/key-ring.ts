import { hkdfSync } from 'node:crypto'

/** What one passphrase gives. Each member has its own HKDF label, so none tells anything of another. */
export type DerivedKeys = {
  /** Names the keys in tokens and in the store: 12 characters, base64url. Public. */
  readonly kid: string
  /** 64 bytes, as long as an HS512 signature. */
  readonly tokenSecret: Uint8Array
  /** 32 bytes: makes the session key of the next generation. */
  readonly sessionSecret: Uint8Array
}

/** `current` signs; `all` verify, `current` first. */
export type KeyRing = {
  readonly current: DerivedKeys
  readonly all: readonly DerivedKeys[]
}

// A changed label is a changed key: every token and session would die. So the version is in it.
const LABELS = {
  kid: 'kennel/1/kid',
  token: 'kennel/1/token/HS512',
  session: 'kennel/1/session-successor',
} as const

/**
 * The keys of all passphrases. The same passphrases give the same keys in every process. A
 * passphrase that occurs twice counts once. Their strength is `passphraseFault`'s business.
 */
export function createKeyRing(passphrases: {
  readonly current: string
  readonly previous: readonly string[]
}): KeyRing {
  const distinct = new Set([passphrases.current, ...passphrases.previous])
  const current = deriveKeys(passphrases.current)
  distinct.delete(passphrases.current)
  return { current, all: [current, ...Array.from(distinct, deriveKeys)] }
}

function deriveKeys(passphrase: string): DerivedKeys {
  const derive = (label: string, bytes: number) =>
    new Uint8Array(hkdfSync('sha512', Buffer.from(passphrase, 'utf8'), '', label, bytes))
  return {
    kid: Buffer.from(derive(LABELS.kid, 9)).toString('base64url'),
    tokenSecret: derive(LABELS.token, 64),
    sessionSecret: derive(LABELS.session, 32),
  }
}
