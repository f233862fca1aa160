import type { TokenKind } from '../../domain/identity/claims.js'
import { assertMembers, readJsonObject, assert } from '../../domain/identity/json-object.js'

const TYPES = { access: 'at+paseto', refresh: 'rt+paseto' } as const satisfies Record<TokenKind, string>
const MEMBERS = ['typ', 'kid'] as const
const ENCODER = new TextEncoder()

/** PASETO has no header for type and key name; the authenticated footer holds them. */
export function writeFooter(kind: TokenKind, kid: string): Uint8Array {
  return ENCODER.encode(JSON.stringify({ typ: TYPES[kind], kid }))
}

/**
 * The key name from a footer with exactly our two members; authentic only after the verification of the token.
 */
export function readKid(encoded: string, kind: TokenKind): string {
  const footer = readJsonObject(Buffer.from(encoded, 'base64url'), 'footer')
  assertMembers(footer, MEMBERS, 'footer')
  assert(footer['typ'] === TYPES[kind], 'unexpected token type')
  const kid = footer['kid']
  assert(typeof kid === 'string', '"kid" is not a string')
  return kid
}
