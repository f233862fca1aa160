import type { AccountId, Epoch } from './account.js'
import type { ClaimedActor } from './claims.js'
import type { Email } from './email.js'
import { isPositiveInteger, positiveIntegerIn } from '../positive-integer.js'
import { assertMembers, isObject, type JsonObject } from './json-object.js'
import { assert } from './token-error.js'

const MEMBERS = ['sub', 'email'] as const
const STATELESS_MEMBERS = [...MEMBERS, 'epoch', 'session_exp'] as const

/** The members of `act` (RFC 8693, 4.1) in their written order. */
export function writeActor({ accountId, email, login }: ClaimedActor): JsonObject {
  return { sub: String(accountId), email, ...(login && { epoch: login.epoch, session_exp: login.endsAt }) }
}

/** Throws a TokenError if a member is missing, unknown or not of its exact type. */
export function readActor(value: unknown, stateless: boolean): ClaimedActor {
  assert(isObject(value), '"act" is not an object')
  assertMembers(value, stateless ? STATELESS_MEMBERS : MEMBERS, 'actor')
  const { sub, email } = value
  assert(typeof email === 'string' && email !== '', '"act" has no address')
  const actor = { accountId: readAccountId(sub, 'act'), email: email as Email }
  return Object.freeze(stateless ? { ...actor, login: readActorsLogin(value) } : actor)
}

function readActorsLogin({ epoch, session_exp: endsAt }: JsonObject): NonNullable<ClaimedActor['login']> {
  assert(isPositiveInteger(epoch), '"act" has no epoch')
  assert(isPositiveInteger(endsAt), '"act" has no end')
  return Object.freeze({ epoch: epoch as Epoch, endsAt })
}

/** An account id as tokens write it: decimal text. */
export function readAccountId(value: unknown, name: string): AccountId {
  const id = typeof value === 'string' ? positiveIntegerIn(value) : undefined
  assert(id !== undefined, `"${name}" is not an account id`)
  return id as AccountId
}
