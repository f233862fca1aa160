import type { TokenKind } from '../../domain/identity/claims.js'
import { assert, readJsonObject, type JsonObject } from '../../domain/identity/json-object.js'
import type { TokenFormat, PublicKey } from '../../ports/tokens.js'
import {
  createKeyFinder,
  importRing,
  type RingOptions,
  importEd25519,
  type RingKey,
} from '../signing-ring.js'
import {
  partsOf,
  readHeader,
  readKid,
  writeHeader,
  type Algorithm,
  type Jws,
  describeError,
  type Header,
} from './header.js'
import { type CryptoKey, CompactSign } from 'jose'
import { createHmac, createSecretKey, timingSafeEqual, verify, type KeyObject } from 'node:crypto'

type JoseFormatOptions = RingOptions & { readonly algorithm: Algorithm }

/**
 * Creates and reads tokens as JWTs (RFC 7519) in compact JWS form. The header has exactly `alg`, `typ` (`at+jwt` or `rt+jwt`) and `kid`.
 * Rejects with a RangeError if the key ring is invalid.
 */
export async function createJoseFormat(options: JoseFormatOptions): Promise<TokenFormat> {
  const { algorithm, currentKid } = options
  const { keys, publicKeys } = await importRing(options, IMPORT[algorithm])
  const keyOf = createKeyFinder(keys, {
    write: (kind, kid) =>
      Buffer.from(JSON.stringify(writeHeader(algorithm, kind, kid))).toString('base64url'),
    readKid: (part, kind) => readKid(readHeader(part), algorithm, kind),
  })
  const find = (kind: TokenKind, token: string): ParsedToken => {
    const jws = partsOf(token)
    return { key: keyOf(kind, jws.headerPart), jws }
  }

  async function seal(kind: TokenKind, claimSet: JsonObject, kid: string): Promise<string | undefined> {
    return await keys.get(kid)?.sign(writeHeader(algorithm, kind, kid), JSON.stringify(claimSet))
  }

  const decoy = find('access', (await seal('access', {}, currentKid)) ?? '')
  return {
    currentKid,
    publicKeys,
    seal,
    open: async (kind, token) => {
      let found: ParsedToken
      try {
        found = find(kind, token)
      } catch (error) {
        // Rejecting a malformed token must take as long as rejecting a forged token.
        verifiedPayload(decoy)
        throw error
      }
      return readJsonObject(verifiedPayload(found), 'payload')
    },
    describe: describeError,
  }
}

type ParsedToken = { readonly key: SigningPair; readonly jws: Jws }

function verifiedPayload({ key, jws }: ParsedToken): Uint8Array {
  assert(key.verifies(jws.signed, jws.signature), 'signature verification failed')
  return jws.payload
}

type SigningPair = {
  readonly sign: Sign
  readonly verifies: Verifies
  readonly publicKey?: PublicKey
}

const HMAC_BYTES = 64

/** For each algorithm, how to import a key for signing and verifying. */
const IMPORT: Readonly<Record<Algorithm, (key: RingKey) => Promise<SigningPair>>> = {
  HS512: async ({ secret }) => {
    if (secret.length < HMAC_BYTES) throw new RangeError(`a signing secret needs ${HMAC_BYTES} bytes`)
    return hs512Pair(secret)
  },
  EdDSA: async ({ kid, secret }) => {
    const { signing, verifying, jwk } = await importEd25519(secret)
    const publicKey = { ...jwk, kid, use: 'sig', alg: 'EdDSA' } as const
    return { sign: ed25519Signer(signing), verifies: ed25519Verifier(verifying), publicKey }
  },
}

/** Returns the compact JWS (RFC 7515, 7.1) of a header and a payload. */
type Sign = (header: Header, payload: string) => string | Promise<string>

type Verifies = (signed: string, signature: Uint8Array) => boolean

/**
 * Computes the HMAC on the main thread in microseconds. jose would use Web Crypto, whose thread pool takes ten times as long for the same
 * bytes (docs/decisions/0007).
 */
function hs512Pair(secret: Uint8Array): SigningPair {
  const key = createSecretKey(secret)
  const hmac = (signed: string) => createHmac('sha512', key).update(signed).digest()
  return {
    sign: (header, payload) => {
      const signed = `${base64url(JSON.stringify(header))}.${base64url(payload)}`
      return `${signed}.${hmac(signed).toString('base64url')}`
    },
    verifies: (signed, signature) => {
      const expected = hmac(signed)
      return signature.length === expected.length && timingSafeEqual(signature, expected)
    },
  }
}

/** Verifies the signature on the main thread, which saves the CPU time of waking another thread (docs/decisions/0007). */
function ed25519Verifier(key: KeyObject): Verifies {
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
