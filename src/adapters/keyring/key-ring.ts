import { hkdfSync, scrypt, createHmac, hash, randomBytes, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import type { TokenUse } from '../../ports/tokens.js'
import type { ApiKeyDigest } from '../../domain/access/api-key.js'
import type { ProofDigest, ProofSecret } from '../../domain/identity/proof.js'
import type { KeyDigest, SessionKey } from '../../domain/identity/session.js'
import type { ApiKeySecrets, ProofSecrets, SessionKeys } from '../../ports/session-keys.js'

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

const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt)

/** The derivation is slow on purpose, because an attacker pays the same cost for every guess. */
function rootOf(passphrase: string, logN: number): Promise<Buffer> {
  const [N, r, p] = [2 ** logN, 8, 1]
  return derive(passphrase, SALT, ROOT_BYTES, { N, r, p, maxmem: 256 * N * r })
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
