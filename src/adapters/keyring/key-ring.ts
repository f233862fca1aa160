import { hkdfSync } from 'node:crypto'

/** What tokens are signed with: HMAC with SHA-512, or Ed25519 in one of two formats. */
export type TokenUse = 'HS512' | 'EdDSA' | 'v4.public'

/** What one passphrase gives. Each member has its own HKDF label, so none tells anything of another. */
export type DerivedKeys = {
  /** Names the keys in tokens and in the store: 12 characters, base64url. Public. Another use has another. */
  readonly kid: string
  /** HS512: 64 bytes, as long as a signature. Else an Ed25519 key as PKCS #8 in DER (RFC 8410). */
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
const SESSION_LABEL = 'kennel/1/session-successor'
const LABELS: Readonly<Record<TokenUse, { readonly kid: string; readonly token: string }>> = {
  HS512: { kid: 'kennel/1/kid', token: 'kennel/1/token/HS512' },
  EdDSA: { kid: 'kennel/1/kid/EdDSA', token: 'kennel/1/token/EdDSA' },
  'v4.public': { kid: 'kennel/1/kid/v4.public', token: 'kennel/1/token/v4.public' },
}

/** Everything in a PKCS #8 private key of Ed25519 (RFC 8410, 7) that comes before its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The keys of all passphrases for one use. The same passphrases give the same keys in every
 * process. A passphrase that occurs twice counts once. Their strength is `passphraseFault`'s business.
 */
export function createKeyRing(
  passphrases: { readonly current: string; readonly previous: readonly string[] },
  use: TokenUse = 'HS512',
): KeyRing {
  const distinct = new Set([passphrases.current, ...passphrases.previous])
  const all = Array.from(distinct, (passphrase) => deriveKeys(passphrase, use))
  return { current: all[0] as DerivedKeys, all }
}

function deriveKeys(passphrase: string, use: TokenUse): DerivedKeys {
  const derive = (label: string, bytes: number) =>
    new Uint8Array(hkdfSync('sha512', Buffer.from(passphrase, 'utf8'), '', label, bytes))
  const { kid, token } = LABELS[use]
  return {
    kid: Buffer.from(derive(kid, 9)).toString('base64url'),
    tokenSecret: use === 'HS512' ? derive(token, 64) : Buffer.concat([PKCS8_HEAD, derive(token, 32)]),
    sessionSecret: derive(SESSION_LABEL, 32),
  }
}
