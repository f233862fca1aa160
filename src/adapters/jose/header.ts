import type { TokenKind } from '../../domain/identity/claims.js'
import {
  assertMembers,
  readJsonObject,
  assert,
  type JsonObject,
  TokenError,
} from '../../domain/identity/json-object.js'
import { errors } from 'jose'

/** How a JWT is signed: HMAC with SHA-512 (RFC 7518, 3.2), or Ed25519 (RFC 8037). */
export type Algorithm = 'HS512' | 'EdDSA'

const TYPES = { access: 'at+jwt', refresh: 'rt+jwt' } as const satisfies Record<TokenKind, string>
const MEMBERS = ['alg', 'typ', 'kid'] as const

export type Header = { readonly alg: string; readonly typ: string; readonly kid: string }

/** Returns a token's header; the order of its members is fixed, because it determines the bytes of the token. */
export function writeHeader(algorithm: Algorithm, kind: TokenKind, kid: string): Header {
  return { alg: algorithm, typ: TYPES[kind], kid }
}

/**
 * Returns the key ID of a header that has exactly the members `alg`, `typ` and `kid`. Rejects `crit`, `jwk`, `jku`, `x5u`, `x5c`, `b64`,
 * `zip` and any other member without interpreting it.
 */
export function readKid(header: JsonObject, algorithm: Algorithm, kind: TokenKind): string {
  assertMembers(header, MEMBERS, 'header')
  assert(header['alg'] === algorithm, 'unexpected algorithm')
  assert(header['typ'] === TYPES[kind], 'unexpected token type')
  const kid = header['kid']
  assert(typeof kid === 'string', '"kid" is not a string')
  return kid
}

/** A compact JWS that is not verified yet. */
export type Jws = {
  readonly headerPart: string
  /** The signing input: header and payload as they appear in the token. */
  readonly signed: string
  readonly payload: Uint8Array
  readonly signature: Uint8Array
}

/**
 * Splits a compact JWS and requires canonical base64url: no padding, no other alphabet, no nonzero unused bits. jose is more lenient: it
 * would accept a copy of a token with a different last character, although programs may identify a token by its text.
 */
export function partsOf(token: string): Jws {
  const parts = token.split('.', 4)
  assert(parts.length === 3, 'the token does not have three parts')
  const [headerPart, payloadPart, signaturePart] = parts as [string, string, string]
  bytesOf(headerPart)
  const [payload, signature] = [bytesOf(payloadPart), bytesOf(signaturePart)]
  return { headerPart, signed: `${headerPart}.${payloadPart}`, payload, signature }
}

export function readHeader(part: string): JsonObject {
  return readJsonObject(Buffer.from(part, 'base64url'), 'header')
}

/** Rejects invalid characters, which Node's decoder would skip. */
function bytesOf(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url')
  assert(
    part !== '' && bytes.toString('base64url') === part,
    'a part of the token is not canonical base64url',
  )
  return bytes
}

/** The result never contains jose's message, which could quote the token. */
export function describeError(error: unknown): string {
  if (error instanceof TokenError) return error.message
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature verification failed'
  if (error instanceof errors.JOSEError) return `refused by jose: ${error.code}`
  return `unexpected ${error instanceof Error ? error.name : typeof error}`
}
