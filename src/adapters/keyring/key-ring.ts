import { hkdfSync, scrypt } from 'node:crypto'
import type { TokenUse } from '../../ports/token-format.js'

/**
 * The keys of one passphrase, by scrypt and then HKDF with a label for each member. No member reveals another,
 * and testing a guess of the passphrase against any of them, even the public name, costs a scrypt.
 */
type DerivedKeys = {
  /** Public name of the keys in tokens and in the store: 12 characters, base64url. */
  readonly kid: string
  /** HS512: 64 bytes. Otherwise an Ed25519 key as PKCS #8 in DER (RFC 8410). */
  readonly tokenSecret: Uint8Array
  /** 32 bytes: derives the session key of the next generation. */
  readonly sessionSecret: Uint8Array
  /** 32 bytes: seals secrets of second factors; the same for every use. */
  readonly sealing: { readonly kid: string; readonly secret: Uint8Array }
}

/** `current` signs; `all` verify, with `current` first. */
export type KeyRing = {
  readonly current: DerivedKeys
  readonly all: readonly DerivedKeys[]
}

// A changed label changes the key and ends every session, so the label has a version.
const SESSION_LABEL = 'kennel/2/session-successor'
const SEALING_LABELS = { kid: 'kennel/2/kid/sealing', secret: 'kennel/2/sealing/A256GCM' }
const LABELS: Readonly<Record<TokenUse, { readonly kid: string; readonly token: string }>> = {
  HS512: { kid: 'kennel/2/kid', token: 'kennel/2/token/HS512' },
  EdDSA: { kid: 'kennel/2/kid/EdDSA', token: 'kennel/2/token/EdDSA' },
  'v4.public': { kid: 'kennel/2/kid/v4.public', token: 'kennel/2/token/v4.public' },
}

/**
 * Constant: every process must derive the same keys from the passphrase before a store is open. It separates
 * this use of the passphrase from others (docs/decisions/0013).
 */
const SALT = 'kennel/2/passphrase'
const ROOT_BYTES = 64

/** The bytes of a PKCS #8 private key of Ed25519 (RFC 8410, 7) before its 32 secret bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

type KeyRingOptions = {
  /**
   * log2 N of scrypt (r = 8, p = 1), 15 by default: 32 MiB and some 60 ms for each passphrase. Another cost
   * gives other keys. Lower it only for tests.
   */
  readonly logN?: number
}

/**
 * Derives the keys of all passphrases for one use, off the event loop. The same passphrases give the same keys
 * in every process; duplicates count once. `passphraseError` checks their strength.
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

/** Slow on purpose: every guess of an attacker costs the same. */
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
