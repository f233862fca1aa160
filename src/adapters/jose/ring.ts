import { type CryptoKey, CompactSign } from 'jose'
import { createHmac, createPublicKey, createSecretKey, timingSafeEqual, verify } from 'node:crypto'
import type { PublicKey } from '../../ports/token-format.js'
import type { Algorithm, Header } from './header.js'

/** A key of the ring before its import. */
export type JoseKey = {
  readonly kid: string
  /** HS512: at least 64 bytes (RFC 7518, 3.2). EdDSA: an Ed25519 key as PKCS #8 in DER (RFC 8410). */
  readonly secret: Uint8Array
}

export type SigningPair = { readonly sign: Sign; readonly hasSigned: HasSigned }

export type Ring = {
  readonly keys: ReadonlyMap<string, SigningPair>
  /** The current key first. */
  readonly publicKeys: readonly PublicKey[]
}

type Pair = SigningPair & { readonly publicKey?: PublicKey }

const HMAC_BYTES = 64

/** Imports every key once. Rejects with a RangeError for an invalid ring. */
export async function importRing(options: {
  readonly algorithm: Algorithm
  readonly keys: readonly JoseKey[]
  readonly currentKid: string
}): Promise<Ring> {
  const pairs = new Map<string, Pair>()
  for (const { kid, secret } of options.keys) {
    if (pairs.has(kid)) throw new RangeError('two signing keys have one kid')
    pairs.set(kid, await IMPORT[options.algorithm](secret, kid))
  }
  const current = pairs.get(options.currentKid)
  if (!current) throw new RangeError('the current kid names no signing key')
  const inOrder = new Set([current, ...pairs.values()])
  return { keys: pairs, publicKeys: [...inOrder].flatMap(({ publicKey }) => publicKey ?? []) }
}

const IMPORT: Readonly<Record<Algorithm, (secret: Uint8Array, kid: string) => Promise<Pair>>> = {
  HS512: async (secret) => {
    if (secret.length < HMAC_BYTES) throw new RangeError(`a signing secret needs ${HMAC_BYTES} bytes`)
    return hs512Pair(secret)
  },
  EdDSA: async (secret, kid) => {
    const signing = await importEd25519(secret)
    const { x = '' } = await crypto.subtle.exportKey('jwk', signing)
    const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
    const publicKey = { ...jwk, kid, use: 'sig', alg: 'EdDSA' } as const
    return { sign: ed25519Signer(signing), hasSigned: ed25519Verifier(jwk), publicKey }
  },
}

async function importEd25519(secret: Uint8Array): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('pkcs8', Uint8Array.from(secret), 'Ed25519', true, ['sign'])
  } catch {
    throw new RangeError('a signing secret is no Ed25519 key as PKCS #8')
  }
}

/** Returns the compact JWS (RFC 7515, 7.1) of a header and a payload. */
type Sign = (header: Header, payload: string) => string | Promise<string>

/** Whether the key has signed this text of a header and a payload. */
type HasSigned = (signed: string, signature: Uint8Array) => boolean

/**
 * HMAC on this thread takes microseconds. Web Crypto, and so jose, wakes a thread of the pool, which takes ten
 * times as long (docs/decisions/0007). The bytes are the same.
 */
function hs512Pair(secret: Uint8Array): SigningPair {
  const key = createSecretKey(secret)
  const hmac = (signed: string) => createHmac('sha512', key).update(signed).digest()
  return {
    sign: (header, payload) => {
      const signed = `${base64url(JSON.stringify(header))}.${base64url(payload)}`
      return `${signed}.${hmac(signed).toString('base64url')}`
    },
    hasSigned: (signed, signature) => {
      const expected = hmac(signed)
      return signature.length === expected.length && timingSafeEqual(signature, expected)
    },
  }
}

/** A verification on this thread saves the CPU time of waking another thread (docs/decisions/0007). */
function ed25519Verifier(jwk: Pick<PublicKey, 'kty' | 'crv' | 'x'>): HasSigned {
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return (signed, signature) => verify(undefined, Buffer.from(signed), key, signature)
}

function ed25519Signer(key: CryptoKey): Sign {
  const encoder = new TextEncoder()
  return (header, payload) =>
    new CompactSign(encoder.encode(payload)).setProtectedHeader({ ...header }).sign(key)
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
