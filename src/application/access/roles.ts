import { roleKey, roleLabel, type Role, type RoleKey } from '../../domain/access/role.js'
import { shownEmail, type Account } from '../../domain/identity/account.js'
import { refuseField, type Refusal } from '../../domain/refusal.js'
import { accountName, namedAccount, noSuchAccount } from '../accounts/named-account.js'
import { fields, flag, optional, parseFields, text } from '../fields.js'
import { count, textAs } from '../inputs.js'
import { operation } from '../operation.js'
import type { GivenShared } from '../shared-parts.js'
import { noRoom, type RoleRoom } from './role-room.js'
import { within, type Limited } from './within.js'

/**
 * Returns the roles that an operation assigns, without duplicates. Assigning a role requires `user-task: role` in addition to the permission
 * of the operation, because a caller could otherwise give itself every permission. Refuses the call with `unauthenticated`, `forbidden` or,
 * for a malformed role key, `invalid`. With `within: 'caller'`, only roles whose permissions the caller also has may be assigned.
 */
export function givenRoles(
  { authorize, assertWithin }: GivenShared<['authorize', 'assertWithin']>,
  call: Limited,
  texts: readonly string[],
): RoleKey[] {
  if (texts.length > 0) authorize(call.caller, 'user-task', 'role')
  const roles = [...new Set(texts)].map((text) => parseFields({ role: roleKey(text) }).role)
  assertWithin(call, roles)
  return roles
}

export const STILL_HELD =
  'Accounts or API keys still have this role. Find them with `user list --role KEY` and `apikey list`; remove the role from the accounts, and revoke the keys.'

export function unknownRole(key: RoleKey, field = 'role'): Refusal {
  return refuseField('not-found', field, 'NotFound', `There is no role "${key}".`)
}

/**
 * Adds a role to the role table. Refuses the call with `invalid` (key or label) or `conflict` (the key exists). A role that is not in the
 * permission file permits nothing.
 */
export const createRole = operation({
  permission: ['role', 'create'],
  input: fields({ key: text, label: text }),
  parts: ['roles', 'randomness'],
  run:
    ({ roles, randomness }) =>
    async (input) => {
      const { key, label } = parseFields({ key: roleKey(input.key), label: roleLabel(input.label) })
      const role = { uuid: randomness.uuid(), key, label }
      if ((await roles.insert(role)) === 'inserted') return role
      throw refuseField('conflict', 'key', 'Duplicate', 'A role with this key already exists.')
    },
})

/**
 * Returns the role table sorted by key (by code unit): at most `limit` roles (default: all) whose key comes after `after`. `after` need not
 * be the key of an existing role. Reads the whole role table.
 */
export const listRoles = operation({
  permission: ['role', 'list'],
  input: fields({ after: optional(textAs<RoleKey>()), limit: optional(count) }),
  parts: ['roles'],
  run:
    ({ roles }) =>
    async ({ after, limit }): Promise<readonly Role[]> => {
      const all = await roles.list()
      return all.filter(({ key }) => after === undefined || key > after).slice(0, limit)
    },
})

/** Refuses a new role that would make the account's tokens too long. */
async function assertRoom(roleRoom: RoleRoom, account: Account, role: RoleKey): Promise<void> {
  const keys = account.roles.map(({ key }) => key)
  if (!keys.includes(role) && !(await roleRoom(shownEmail(account), [...keys, role]))) throw noRoom()
}

/**
 * Deletes a role from the role table. Refuses the call with `invalid`, with `not-found`, or with `conflict` if an account or a valid API
 * key still has the role.
 */
export const deleteRole = operation({
  permission: ['role', 'delete'],
  input: fields({ key: text }),
  parts: ['roles', 'clock'],
  run:
    ({ roles, clock }) =>
    async (input) => {
      const { key } = parseFields({ key: roleKey(input.key) })
      const outcome = await roles.remove(key, clock())
      if (outcome === 'unknown') throw unknownRole(key, 'key')
      if (outcome === 'held') throw refuseField('conflict', 'key', 'Conflict', STILL_HELD)
    },
})

/**
 * Assigns a role from the role table to an account, or removes the role; assigning an already assigned role changes nothing and is not an
 * error. Takes effect at the next request from the account. Refuses the call with `invalid`, or with `not-found` (unknown account, unknown
 * role, or an account that does not have the role to be removed). If tokens carry the roles, refuses with `invalid` a role that would not
 * fit into a token.
 */
export const assignRole = operation({
  permission: ['user-task', 'role'],
  input: fields({ email: text, role: text, remove: optional(flag), within }),
  parts: ['roles', 'accounts', 'assertWithin', 'audit', 'roleRoom'],
  run:
    ({ roles, accounts, assertWithin, audit, roleRoom }) =>
    async ({ caller, email, remove = false, ...input }) => {
      const { role } = parseFields({ email: accountName(email), role: roleKey(input.role) })
      assertWithin({ caller, within: input.within }, [role])
      const account = await namedAccount(accounts, email)
      const { id, email: address } = account
      if (roleRoom && !remove) await assertRoom(roleRoom, account, role)
      const outcome = await (remove ? roles.unassign(address, role) : roles.assign(address, role))
      if (outcome === 'unknown-account') throw noSuchAccount()
      if (outcome === 'unknown-role') throw unknownRole(role)
      if (outcome === 'not-assigned')
        throw refuseField('not-found', 'role', 'NotFound', `The account does not have the role "${role}".`)
      if (outcome === 'already-assigned') return
      const subject = (await accounts.find(id))?.id
      const event = remove ? 'role.remove' : 'role.assign'
      await audit.record({ event, caller, subject, what: `role:${role}` })
    },
})
