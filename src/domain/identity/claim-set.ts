import type { Milliseconds } from '../instant.js'
import { readAccountId, readActor, writeActor } from './claimed-actor.js'
import { FACTOR_MEMBER, LOGIN_MEMBERS, METHODS_MEMBER, readLogin, writeLogin } from './token-login.js'
import type { Claims, TokenKind } from './claims.js'
import { assertMembers, type JsonObject } from './json-object.js'
import type { SessionId } from './session.js'
import { assert } from './token-error.js'

/** The expected claims. `lifetime` is the longest time from `iat` to `exp`. */
export type Expected = {
  readonly kind: TokenKind
  readonly issuer: string
  readonly lifetime: Milliseconds
  /** Whether tokens must carry the login (stateless mode) or must not. */
  readonly stateless: boolean
}

const MEMBERS = ['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'nbf', 'exp'] as const
const STATELESS_MEMBERS = [...MEMBERS, ...LOGIN_MEMBERS] as const

/** The audience of a kind: the issuer, a slash and the kind, such as `https://app.example/access`. */
function audience(issuer: string, kind: TokenKind): string {
  return `${issuer}/${kind}`
}

export function writeClaimSet(claims: Claims, issuer: string): JsonObject {
  return {
    iss: issuer,
    aud: audience(issuer, claims.kind),
    sub: String(claims.subject),
    sid: claims.sessionId,
    jti: claims.tokenId,
    iat: claims.issuedAt,
    nbf: claims.issuedAt,
    exp: claims.expiresAt,
    ...(claims.login && writeLogin(claims.login)),
    ...(claims.actor && { act: writeActor(claims.actor) }),
  }
}

/**
 * The claims of an authentic claim set. Every member is required, with its exact type, and no other member is allowed
 * except `act` and, with a carried login, `amr` and `factor_since`. Does not judge the time. Throws a TokenError.
 */
export function readClaimSet(members: JsonObject, expected: Expected): Claims {
  const names = expected.stateless ? STATELESS_MEMBERS : MEMBERS
  const impersonated = Object.hasOwn(members, 'act')
  const optional = expected.stateless ? ['act', METHODS_MEMBER, FACTOR_MEMBER] : ['act']
  const there = optional.filter((name) => Object.hasOwn(members, name))
  assertMembers(members, there.length > 0 ? [...names, ...there] : names, 'payload')
  assert(members['iss'] === expected.issuer, 'another issuer')
  assert(members['aud'] === audience(expected.issuer, expected.kind), 'another audience')
  return Object.freeze({
    kind: expected.kind,
    subject: readAccountId(members['sub'], 'sub'),
    sessionId: readName(members['sid'], 'sid') as SessionId,
    tokenId: readName(members['jti'], 'jti'),
    ...readTimes(members, expected.lifetime),
    ...(expected.stateless && { login: readLogin(members) }),
    ...(impersonated && { actor: readActor(members['act'], expected.stateless) }),
  })
}

/**
 * The claims that reading this newly written claim set would give; `undefined` if reading would refuse it. Claims without
 * carried login and actor are only checked, not read again.
 */
export function ownClaims(claims: Claims, claimSet: JsonObject, expected: Expected): Claims | undefined {
  if (!expected.stateless && !claims.login && !claims.actor)
    return isPlain(claims, expected) ? Object.freeze({ ...claims }) : undefined
  try {
    return readClaimSet(claimSet, expected)
  } catch {
    return undefined
  }
}

/** The rules of reading, for typed claims. */
function isPlain(
  { subject, sessionId, tokenId, issuedAt, expiresAt }: Claims,
  { lifetime }: Expected,
): boolean {
  return (
    [subject, issuedAt, expiresAt].every(Number.isSafeInteger) &&
    subject > 0 &&
    sessionId !== '' &&
    tokenId !== '' &&
    issuedAt >= 0 &&
    expiresAt > issuedAt &&
    expiresAt - issuedAt <= Math.ceil(lifetime / 1000)
  )
}

function readName(value: unknown, name: string): string {
  assert(typeof value === 'string' && value !== '', `"${name}" is not a name`)
  return value
}

function readTimes(members: JsonObject, lifetime: Milliseconds): { issuedAt: number; expiresAt: number } {
  const issuedAt = readSeconds(members['iat'], 'iat')
  const expiresAt = readSeconds(members['exp'], 'exp')
  assert(readSeconds(members['nbf'], 'nbf') === issuedAt, '"nbf" differs from "iat"')
  assert(expiresAt > issuedAt, '"exp" is not after "iat"')
  // Both ends are rounded to whole seconds, so a fraction of the lifetime may count as a whole second.
  assert(expiresAt - issuedAt <= Math.ceil(lifetime / 1000), 'the lifetime is longer than the configured one')
  return { issuedAt, expiresAt }
}

function readSeconds(value: unknown, name: string): number {
  assert(typeof value === 'number' && Number.isSafeInteger(value) && value >= 0, `"${name}" is not a time`)
  return value
}
