// Writes and reads the PASETO footer and the time claims.
import type { TokenKind } from '../../domain/identity/claims.js'
import { assert, assertMembers, readJsonObject, type JsonObject } from '../../domain/identity/json-object.js'

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

/** PASETO represents times as RFC 3339 strings, and JWT represents them as numbers. */
const TIMES = ['iat', 'nbf', 'exp'] as const

/** Replaces whole seconds with strings such as `2026-01-02T03:04:05Z`, without changing the order of members. */
export function timesAsText(claimSet: JsonObject): JsonObject {
  return withTimes(claimSet, (value) => textOf(Number(value)))
}

/** Replaces time strings with whole seconds; throws if a time has any other notation. */
export function timesAsSeconds(claimSet: JsonObject): JsonObject {
  const { iat } = claimSet
  let issuedAt: number | undefined
  return withTimes(claimSet, (value, name) => {
    // In Kennel's tokens, `nbf` and `iat` are equal.
    if (value === iat && issuedAt !== undefined) return issuedAt
    const seconds = typeof value === 'string' ? Date.parse(value) / 1000 : Number.NaN
    assert(Number.isSafeInteger(seconds) && textOf(seconds) === value, `"${name}" is not a time`)
    if (name === 'iat') issuedAt = seconds
    return seconds
  })
}

function textOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length)}Z`
}

function withTimes(claimSet: JsonObject, change: (value: unknown, name: string) => unknown): JsonObject {
  const changed: Record<string, unknown> = { ...claimSet }
  for (const name of TIMES) if (Object.hasOwn(claimSet, name)) changed[name] = change(claimSet[name], name)
  return changed
}
