import type { Role, RoleKey } from '../access/role.js'
import type { Instant, Milliseconds } from '../instant.js'
import { defined } from '../plain-data.js'
import { isPositiveInteger, positiveIntegerIn } from '../parsed.js'
import type { AccountId, Epoch } from './account.js'
import type { CarriedLogin, ClaimedActor, Claims, TokenKind } from './claims.js'
import type { Email } from './email.js'
import { assert, assertMembers, isObject, type JsonObject } from './json-object.js'
import type { LoginProof, SessionId } from './session.js'

/** The requirements for a claim set. `lifetime` is the longest allowed time from `iat` to `exp`. */
export type Requirements = {
  readonly kind: TokenKind
  readonly issuer: string
  readonly lifetime: Milliseconds
  /** Whether tokens must contain the login (stateless mode) or must not contain it. */
  readonly stateless: boolean
}

const MEMBERS = ['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'nbf', 'exp'] as const
/** Additional members of stateless tokens; `session_exp` is the absolute end of the login. */
export const LOGIN_MEMBERS = ['email', 'roles', 'epoch', 'session_exp'] as const
const STATELESS_MEMBERS = [...MEMBERS, ...LOGIN_MEMBERS] as const
/** Authentication methods (RFC 8176); present only if the login used a second factor or a passkey. */
const METHODS_MEMBER = 'amr'
const FACTOR_METHODS = ['pwd', 'otp']
const PASSKEY_METHODS = ['pop', 'mfa']
/** The time in milliseconds at which the second factor was confirmed; this time identifies the factor. */
const FACTOR_MEMBER = 'factor_since'
/** When the first factor (as in OpenID Connect) and the second factor were last proved. */
const AUTH_TIME_MEMBER = 'auth_time'
const FACTOR_TIME_MEMBER = 'factor_time'
const OPTIONAL_LOGIN_MEMBERS = [METHODS_MEMBER, FACTOR_MEMBER, AUTH_TIME_MEMBER, FACTOR_TIME_MEMBER]
const ROLE_MEMBERS = ['uuid', 'key', 'label'] as const
const ACTOR_MEMBERS = ['sub', 'email'] as const
const STATELESS_ACTOR_MEMBERS = [...ACTOR_MEMBERS, 'epoch', 'session_exp'] as const

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
 * Reads the claims of an authentic claim set. Throws a TokenError if a member is missing, has the wrong type or is unknown. `act` is
 * optional, and in stateless tokens, so are `amr`, `factor_since`, `auth_time` and `factor_time`. Does not check whether the token has
 * expired.
 */
export function readClaimSet(members: JsonObject, expected: Requirements): Claims {
  const names = expected.stateless ? STATELESS_MEMBERS : MEMBERS
  const impersonated = Object.hasOwn(members, 'act')
  const optional = expected.stateless ? ['act', ...OPTIONAL_LOGIN_MEMBERS] : ['act']
  const present = optional.filter((name) => Object.hasOwn(members, name))
  assertMembers(members, [...names, ...present], 'payload')
  assert(members['iss'] === expected.issuer, 'unexpected issuer')
  assert(members['aud'] === audience(expected.issuer, expected.kind), 'unexpected audience')
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

function readName(value: unknown, name: string): string {
  assert(typeof value === 'string' && value !== '', `"${name}" is not a name`)
  return value
}

function readTimes(members: JsonObject, lifetime: Milliseconds): { issuedAt: number; expiresAt: number } {
  const issuedAt = readSeconds(members['iat'], 'iat')
  const expiresAt = readSeconds(members['exp'], 'exp')
  assert(readSeconds(members['nbf'], 'nbf') === issuedAt, '"nbf" differs from "iat"')
  assert(expiresAt > issuedAt, '"exp" is not after "iat"')
  // Both times are rounded to whole seconds, so a fractional lifetime is rounded up to the next second.
  assert(
    expiresAt - issuedAt <= Math.ceil(lifetime / 1000),
    'the lifetime is longer than the configured lifetime',
  )
  return { issuedAt, expiresAt }
}

function readSeconds(value: unknown, name: string): number {
  const seconds = Number.isSafeInteger(value) ? Number(value) : -1
  assert(seconds >= 0, `"${name}" is not a time`)
  return seconds
}

export function writeLogin({
  email,
  roles,
  epoch,
  endsAt,
  factor,
  proved,
  passkey,
}: CarriedLogin): JsonObject {
  const roleClaims = roles.map(({ uuid, key, label }) => ({ uuid, key, label }))
  const methods = passkey ? PASSKEY_METHODS : factor !== undefined && FACTOR_METHODS
  const proof = {
    ...(methods && { [METHODS_MEMBER]: methods }),
    ...(factor !== undefined && { [FACTOR_MEMBER]: factor }),
  }
  return { email, roles: roleClaims, epoch, session_exp: endsAt, ...proof, ...(proved && writeProof(proved)) }
}

function writeProof({ at, factorAt }: LoginProof): JsonObject {
  const seconds = (time: Instant) => Math.floor(time / 1000)
  return {
    [AUTH_TIME_MEMBER]: seconds(at),
    ...(factorAt !== undefined && { [FACTOR_TIME_MEMBER]: seconds(factorAt) }),
  }
}

function readProof(members: JsonObject): LoginProof | undefined {
  const { [AUTH_TIME_MEMBER]: at, [FACTOR_TIME_MEMBER]: factorAt } = members
  if (at === undefined) return undefined
  return Object.freeze({
    at: readSeconds(at, AUTH_TIME_MEMBER) * 1000,
    ...(factorAt !== undefined && { factorAt: readSeconds(factorAt, FACTOR_TIME_MEMBER) * 1000 }),
  })
}

/** Throws a TokenError if a member has the wrong type. */
export function readLogin(members: JsonObject): CarriedLogin {
  const {
    email,
    roles,
    epoch,
    session_exp: endsAt,
    [METHODS_MEMBER]: methods,
    [FACTOR_MEMBER]: factor,
  } = members
  const isPasskey = isList(methods, PASSKEY_METHODS)
  assert(typeof email === 'string' && email !== '', '"email" is not an address')
  assert(Array.isArray(roles), '"roles" is not a list')
  assert(isPositiveInteger(epoch), '"epoch" is not a number')
  assert(isPositiveInteger(endsAt), '"session_exp" is not a time')
  assert(
    methods === undefined || isPasskey || isList(methods, FACTOR_METHODS),
    '"amr" is not the list for a login with a second factor or a passkey',
  )
  const isFactor = factor === undefined || (methods !== undefined && isPositiveInteger(factor))
  assert(isFactor, '"factor_since" is not the time at which a second factor was set up')
  return Object.freeze({
    email: email as Email,
    roles: Object.freeze(roles.map(readRole)),
    epoch: epoch as Epoch,
    endsAt,
    // Earlier releases wrote only `amr`, which does not identify the factor and is therefore not accepted as a proof.
    ...(factor !== undefined && { factor }),
    ...defined({ proved: readProof(members) }),
    ...(isPasskey && { passkey: true }),
  })
}

function isList(value: unknown, words: readonly string[]): boolean {
  return Array.isArray(value) && value.length === words.length && words.every((one, at) => value[at] === one)
}

function readRole(role: unknown): Role {
  assert(isObject(role), '"roles" has an invalid role')
  assertMembers(role, ROLE_MEMBERS, 'role')
  const { uuid, key, label } = role
  const areTexts = typeof uuid === 'string' && typeof key === 'string' && typeof label === 'string'
  assert(areTexts, '"roles" has an invalid role')
  return Object.freeze({ uuid, key: key as RoleKey, label })
}

/** Returns the members of `act` (RFC 8693, 4.1) in the order in which they are serialized. */
export function writeActor({ accountId, email, login }: ClaimedActor): JsonObject {
  return { sub: String(accountId), email, ...(login && { epoch: login.epoch, session_exp: login.endsAt }) }
}

/** Throws a TokenError if a member is missing, unknown or has the wrong type. */
export function readActor(value: unknown, stateless: boolean): ClaimedActor {
  assert(isObject(value), '"act" is not an object')
  assertMembers(value, stateless ? STATELESS_ACTOR_MEMBERS : ACTOR_MEMBERS, 'actor')
  const { sub, email } = value
  assert(typeof email === 'string' && email !== '', '"act" has no address')
  const actor = { accountId: readAccountId(sub, 'act'), email: email as Email }
  return Object.freeze(stateless ? { ...actor, login: readActorsLogin(value) } : actor)
}

function readActorsLogin({ epoch, session_exp: endsAt }: JsonObject): NonNullable<ClaimedActor['login']> {
  assert(isPositiveInteger(epoch), '"act" has no epoch')
  assert(isPositiveInteger(endsAt), '"act" has no end time')
  return Object.freeze({ epoch: epoch as Epoch, endsAt })
}

export function readAccountId(value: unknown, name: string): AccountId {
  const id = typeof value === 'string' ? positiveIntegerIn(value) : undefined
  assert(id !== undefined, `"${name}" is not an account id`)
  return id as AccountId
}
