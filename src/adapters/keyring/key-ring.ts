import { hkdfSync, scrypt } from 'node:crypto'
import type { TokenUse } from '../../ports/tokens.js'

/**
 * Keys derived from one passphrase by scrypt and then by HKDF with one label per key. No derived key reveals another derived key. Testing a
 * guessed passphrase against any derived value, even the public key ID, costs one scrypt computation.
 */
type DerivedKeys = {
  /** Public key ID in tokens and in the store: 12 base64url characters. */
  readonly kid: string
  /** 64 bytes for HS512, otherwise an Ed25519 private key as PKCS #8 in DER (RFC 8410). */
  readonly tokenSecret: Uint8Array
  /** 32 bytes for deriving the session key of the next generation. */
  readonly sessionSecret: Uint8Array
  /** Key of 32 bytes that encrypts second-factor secrets; the token format does not affect it. */
  readonly sealing: { readonly kid: string; readonly secret: Uint8Array }
}

/**
 * The keys derived from the passphrases: `current`, the first key in `all`, signs new tokens, and every key in `all` verifies signatures.
 */
export type KeyRing = {
  readonly current: DerivedKeys
  readonly all: readonly DerivedKeys[]
}

// Changing a label changes the key and ends every session, so labels contain a version number.
const SESSION_LABEL = 'kennel/2/session-successor'
const SEALING_LABELS = { kid: 'kennel/2/kid/sealing', secret: 'kennel/2/sealing/A256GCM' }
const LABELS: Readonly<Record<TokenUse, { readonly kid: string; readonly token: string }>> = {
  HS512: { kid: 'kennel/2/kid', token: 'kennel/2/token/HS512' },
  EdDSA: { kid: 'kennel/2/kid/EdDSA', token: 'kennel/2/token/EdDSA' },
  'v4.public': { kid: 'kennel/2/kid/v4.public', token: 'kennel/2/token/v4.public' },
}

/**
 * The salt is constant, because every process must derive the same keys before a store is open. The salt separates these keys from keys
 * that are derived from the same passphrase for other purposes (docs/decisions/0008).
 */
const SALT = 'kennel/2/passphrase'
const ROOT_BYTES = 64

/** Prefix of an Ed25519 private key in PKCS #8 (RFC 8410, 7), before the 32 secret bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

type KeyRingOptions = {
  /**
   * Base-2 logarithm of the scrypt cost N (r = 8, p = 1), 15 by default: 32 MiB and about 60 ms per passphrase. A different cost results in
   * different keys. Use a lower cost only in tests.
   */
  readonly logN?: number
}

/**
 * Derives the keys of all passphrases off the event loop, once per distinct passphrase; every process derives the same keys.
 * `passphraseError` checks the strength of the passphrases.
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

/** The derivation is slow on purpose, because an attacker pays the same cost for every guess. */
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
