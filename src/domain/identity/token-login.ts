import type { Role, RoleKey } from '../access/role.js'
import type { Epoch } from './account.js'
import type { CarriedLogin } from './claims.js'
import type { Email } from './email.js'
import { isPositiveInteger } from '../positive-integer.js'
import { assertMembers, isObject, type JsonObject } from './json-object.js'
import { assert } from './token-error.js'

/** The additional members of a stateless token; `session_exp` is the absolute end of the login. */
export const LOGIN_MEMBERS = ['email', 'roles', 'epoch', 'session_exp'] as const
/** How the login was proved (RFC 8176), in a token of a login with a second factor; otherwise absent. */
export const METHODS_MEMBER = 'amr'
const METHODS = ['pwd', 'otp']
/** When that factor was confirmed, in milliseconds: the login has not proved a later factor of the account. */
export const FACTOR_MEMBER = 'factor_since'

const ROLE_MEMBERS = ['uuid', 'key', 'label'] as const

export function writeLogin({ email, roles, epoch, endsAt, factor }: CarriedLogin): JsonObject {
  const rows = roles.map(({ uuid, key, label }) => ({ uuid, key, label }))
  const proof = factor !== undefined && { [METHODS_MEMBER]: METHODS, [FACTOR_MEMBER]: factor }
  return { email, roles: rows, epoch, session_exp: endsAt, ...proof }
}

/** Throws a TokenError if a member is not of its exact type. */
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
  assert(methods === undefined || isMethods(methods), '"amr" is not the list of a second factor')
  const isFactor = factor === undefined || (methods !== undefined && isPositiveInteger(factor))
  assert(isFactor, '"factor_since" is not the time of a second factor')
  return Object.freeze({
    email: email as Email,
    roles: Object.freeze(roles.map(readRole)),
    epoch: epoch as Epoch,
    endsAt,
    // Earlier releases wrote only `amr`: it does not name the factor, so it proves no factor.
    ...(factor !== undefined && { factor }),
  })
}

function isMethods(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length === METHODS.length && METHODS.every((one, at) => value[at] === one)
  )
}

function readRole(row: unknown): Role {
  assert(isObject(row), '"roles" has an invalid row')
  assertMembers(row, ROLE_MEMBERS, 'role')
  const { uuid, key, label } = row
  const areTexts = typeof uuid === 'string' && typeof key === 'string' && typeof label === 'string'
  assert(areTexts, '"roles" has an invalid row')
  return Object.freeze({ uuid, key: key as RoleKey, label })
}
