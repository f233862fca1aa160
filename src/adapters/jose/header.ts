import type { TokenKind } from '../../domain/identity/claims.js'
import { assertMembers, type JsonObject } from '../../domain/identity/json-object.js'
import { assert } from '../../domain/identity/token-error.js'

/** HMAC with SHA-512 (RFC 7518, 3.2), or Ed25519 (RFC 8037). */
export type Algorithm = 'HS512' | 'EdDSA'

const TYPES = { access: 'at+jwt', refresh: 'rt+jwt' } as const satisfies Record<TokenKind, string>
const MEMBERS = ['alg', 'typ', 'kid'] as const

export type Header = { readonly alg: string; readonly typ: string; readonly kid: string }

/** The members in the order in which they are written: the bytes of a token depend on it. */
export function writeHeader(algorithm: Algorithm, kind: TokenKind, kid: string): Header {
  return { alg: algorithm, typ: TYPES[kind], kid }
}

/**
 * The key's name, from a header with exactly our three members. So `crit`, `jwk`, `jku`, `x5u`,
 * `x5c`, `b64`, `zip` and whatever comes after them are refused without being looked at.
 */
export function readKid(header: JsonObject, algorithm: Algorithm, kind: TokenKind): string {
  assertMembers(header, MEMBERS, 'header')
  assert(header['alg'] === algorithm, 'another algorithm')
  assert(header['typ'] === TYPES[kind], 'another type of token')
  const kid = header['kid']
  assert(typeof kid === 'string', '"kid" is not a string')
  return kid
}
