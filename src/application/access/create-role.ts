import type { Caller } from '../../domain/access/caller.js'
import { roleKey, roleLabel, type Role } from '../../domain/access/role.js'
import { Refusal } from '../../domain/refusal.js'
import type { Randomness } from '../../ports/randomness.js'
import type { Roles } from '../../ports/roles.js'
import { parseFields } from '../fields.js'
import type { Authorize } from './authorize.js'

/**
 * Adds a row to the role table. Refuses with `forbidden`, `invalid` (key or label) and
 * `conflict` (the key exists). A role that the permission file does not name grants nothing.
 */
export type CreateRole = (input: { caller: Caller; key: string; label: string }) => Promise<Role>

/** Needs the grant `role: create`. */
export function createCreateRole(parts: {
  authorize: Authorize
  roles: Roles
  randomness: Randomness
}): CreateRole {
  return async ({ caller, ...fields }) => {
    parts.authorize(caller, 'role', 'create')
    const { key, label } = parseFields({ key: roleKey(fields.key), label: roleLabel(fields.label) })
    const role = { uuid: parts.randomness.uuid(), key, label }
    if ((await parts.roles.insert(role)) === 'inserted') return role
    throw new Refusal('conflict', [
      { field: 'key', type: 'Duplicate', message: 'A role with this key exists already.' },
    ])
  }
}
