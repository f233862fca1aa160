import type { Role, RoleKey } from '../access/role.js'
import type { Epoch } from './account.js'
import type { CarriedLogin } from './claims.js'
import type { Email } from './email.js'
import { isPositiveInteger } from '../positive-integer.js'
import { assertMembers, isObject, type JsonObject } from './json-object.js'
import { assert } from './token-error.js'

/** What a stateless token has besides the others: `session_exp` is the login's absolute end. */
export const LOGIN_MEMBERS = ['email', 'roles', 'epoch', 'session_exp'] as const
/** How the login was proved (RFC 8176), in a token of one with a second factor; absent else. */
export const METHODS_MEMBER = 'amr'
const METHODS = ['pwd', 'otp']
/** When that factor was confirmed, in milliseconds: another factor of the account is not the one that the login has proved. */
export const FACTOR_MEMBER = 'factor_since'

const ROLE_MEMBERS = ['uuid', 'key', 'label'] as const

/** The members in the order in which they are written. */
export function writeLogin({ email, roles, epoch, endsAt, factor }: CarriedLogin): JsonObject {
  const rows = roles.map(({ uuid, key, label }) => ({ uuid, key, label }))
  const proof = factor !== undefined && { [METHODS_MEMBER]: METHODS, [FACTOR_MEMBER]: factor }
  return { email, roles: rows, epoch, session_exp: endsAt, ...proof }
}

/** Throws a TokenError where a member is not of exactly its type. */
export function readLogin(members: JsonObject): CarriedLogin {
  const {
    email,
    roles,
    epoch,
    session_exp: endsAt,
    [METHODS_MEMBER]: methods,
    [FACTOR_MEMBER]: factor,
  } = members
  assert(typeof email === 'string' && email !== '', '"email" is not an address')
  assert(Array.isArray(roles), '"roles" is not a list')
  assert(isPositiveInteger(epoch), '"epoch" is not a number')
  assert(isPositiveInteger(endsAt), '"session_exp" is not a time')
  assert(methods === undefined || isMethods(methods), '"amr" is not that of a second factor')
  const isFactor = factor === undefined || (methods !== undefined && isPositiveInteger(factor))
  assert(isFactor, '"factor_since" is not the time of a second factor')
  return Object.freeze({
    email: email as Email,
    roles: Object.freeze(roles.map(readRole)),
    epoch: epoch as Epoch,
    endsAt,
    // Earlier releases wrote `amr` alone: it does not say which factor it was, so it proves none.
    ...(factor !== undefined && { factor }),
  })
}

function isMethods(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length === METHODS.length && METHODS.every((one, at) => value[at] === one)
  )
}

function readRole(row: unknown): Role {
  assert(isObject(row), '"roles" has a row that is none')
  assertMembers(row, ROLE_MEMBERS, 'role')
  const { uuid, key, label } = row
  const areTexts = typeof uuid === 'string' && typeof key === 'string' && typeof label === 'string'
  assert(areTexts, '"roles" has a row that is none')
  return Object.freeze({ uuid, key: key as RoleKey, label })
}
