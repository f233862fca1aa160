import type { TokenKind } from '../../domain/identity/claims.js'
import { assertMembers, readJsonObject, assert } from '../../domain/identity/json-object.js'

const TYPES = { access: 'at+paseto', refresh: 'rt+paseto' } as const satisfies Record<TokenKind, string>
const MEMBERS = ['typ', 'kid'] as const
const ENCODER = new TextEncoder()

/** PASETO has no header for token type and key ID, so the authenticated footer contains them. */
export function writeFooter(kind: TokenKind, kid: string): Uint8Array {
  return ENCODER.encode(JSON.stringify({ typ: TYPES[kind], kid }))
}

/**
 * Returns the key ID of a footer that has exactly the members `typ` and `kid`; the key ID is authentic only after the token is verified.
 */
export function readKid(encoded: string, kind: TokenKind): string {
  const footer = readJsonObject(Buffer.from(encoded, 'base64url'), 'footer')
  assertMembers(footer, MEMBERS, 'footer')
  assert(footer['typ'] === TYPES[kind], 'unexpected token type')
  const kid = footer['kid']
  assert(typeof kid === 'string', '"kid" is not a string')
  return kid
}
