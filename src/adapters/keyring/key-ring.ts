import { hkdfSync, scrypt } from 'node:crypto'
import type { TokenUse } from '../../ports/token-format.js'

/**
 * What one passphrase gives, by scrypt and then by HKDF with a label for each member. So none tells anything of
 * another, and none, not even the public name, tells a guess at the passphrase in less time than scrypt takes.
 */
type DerivedKeys = {
  /** Names the keys in tokens and in the store: 12 characters, base64url. Public. Another use has another. */
  readonly kid: string
  /** HS512: 64 bytes, as long as a signature. Else an Ed25519 key as PKCS #8 in DER (RFC 8410). */
  readonly tokenSecret: Uint8Array
  /** 32 bytes: makes the session key of the next generation. */
  readonly sessionSecret: Uint8Array
  /** 32 bytes: seals secrets of second factors, under a name of its own that is the same for every use. */
  readonly sealing: { readonly kid: string; readonly secret: Uint8Array }
}

/** `current` signs; `all` verify, `current` first. */
export type KeyRing = {
  readonly current: DerivedKeys
  readonly all: readonly DerivedKeys[]
}

// A changed label is a changed key: every token and session would die. So the version is in it.
const SESSION_LABEL = 'kennel/2/session-successor'
const SEALING_LABELS = { kid: 'kennel/2/kid/sealing', secret: 'kennel/2/sealing/A256GCM' }
const LABELS: Readonly<Record<TokenUse, { readonly kid: string; readonly token: string }>> = {
  HS512: { kid: 'kennel/2/kid', token: 'kennel/2/token/HS512' },
  EdDSA: { kid: 'kennel/2/kid/EdDSA', token: 'kennel/2/token/EdDSA' },
  'v4.public': { kid: 'kennel/2/kid/v4.public', token: 'kennel/2/token/v4.public' },
}

/**
 * A constant: every process must come to the same keys from the passphrase alone, before a store is open. It keeps
 * this use of the passphrase apart from any other (docs/decisions/0013).
 */
const SALT = 'kennel/2/passphrase'
const ROOT_BYTES = 64

/** Everything in a PKCS #8 private key of Ed25519 (RFC 8410, 7) that comes before its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** How keys are derived. */
type KeyRingOptions = {
  /**
   * log2 N of scrypt (r = 8, p = 1), 15 by default: 32 MiB and some 60 ms for each passphrase. Another cost gives
   * other keys. Lower it for tests only.
   */
  readonly logN?: number
}

/**
 * The keys of all passphrases for one use, derived once and off the event loop. The same passphrases give the same
 * keys in every process. A passphrase that occurs twice counts once. Their strength is `passphraseError`'s business.
 */
export async function createKeyRing(
  passphrases: { readonly current: string; readonly previous: readonly string[] },
  use: TokenUse = 'HS512',
  { logN = 15 }: KeyRingOptions = {},
): Promise<KeyRing> {
  const distinct = Array.from(new Set([passphrases.current, ...passphrases.previous]))
  const all = await Promise.all(
    distinct.map(async (passphrase) => keysOf(await rootOf(passphrase, logN), use)),
  )
  return { current: all[0] as DerivedKeys, all }
}

/** Slow on purpose: an attacker pays it for every guess. */
async function rootOf(passphrase: string, logN: number): Promise<Buffer> {
  const [N, r, p] = [2 ** logN, 8, 1]
  const cost = { N, r, p, maxmem: 256 * N * r }
  return await new Promise((resolve, reject) => {
    scrypt(Buffer.from(passphrase, 'utf8'), SALT, ROOT_BYTES, cost, (error, root) => {
      if (error) reject(error)
      else resolve(root)
    })
  })
}

function keysOf(root: Uint8Array, use: TokenUse): DerivedKeys {
  const derive = (label: string, bytes: number) => new Uint8Array(hkdfSync('sha512', root, '', label, bytes))
  const { kid, token } = LABELS[use]
  const nameOf = (label: string) => Buffer.from(derive(label, 9)).toString('base64url')
  return {
    kid: nameOf(kid),
    tokenSecret: use === 'HS512' ? derive(token, 64) : Buffer.concat([PKCS8_HEAD, derive(token, 32)]),
    sessionSecret: derive(SESSION_LABEL, 32),
    sealing: { kid: nameOf(SEALING_LABELS.kid), secret: derive(SEALING_LABELS.secret, 32) },
  }
}
