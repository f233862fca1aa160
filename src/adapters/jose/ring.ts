import { type CryptoKey, CompactSign } from 'jose'
import { createHmac, createSecretKey, timingSafeEqual, verify, type KeyObject } from 'node:crypto'
import type { PublicKey } from '../../ports/token-format.js'
import { importEd25519, type RingKey } from '../signing-ring.js'
import type { Algorithm, Header } from './header.js'

export type SigningPair = {
  readonly sign: Sign
  readonly hasSigned: HasSigned
  readonly publicKey?: PublicKey
}

const HMAC_BYTES = 64

/** The import of a key. */
export const IMPORT: Readonly<Record<Algorithm, (key: RingKey) => Promise<SigningPair>>> = {
  HS512: async ({ secret }) => {
    if (secret.length < HMAC_BYTES) throw new RangeError(`a signing secret needs ${HMAC_BYTES} bytes`)
    return hs512Pair(secret)
  },
  EdDSA: async ({ kid, secret }) => {
    const { signing, verifying, jwk } = await importEd25519(secret)
    const publicKey = { ...jwk, kid, use: 'sig', alg: 'EdDSA' } as const
    return { sign: ed25519Signer(signing), hasSigned: ed25519Verifier(verifying), publicKey }
  },
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
function ed25519Verifier(key: KeyObject): HasSigned {
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
