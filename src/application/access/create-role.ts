import { roleKey, roleLabel, type Role } from '../../domain/access/role.js'
import { Refusal } from '../../domain/refusal.js'
import type { Randomness } from '../../ports/randomness.js'
import type { Roles } from '../../ports/roles.js'
import { parseFields } from '../fields.js'
import { assertProven, type Authorized } from './authorize.js'

/**
 * Adds a row to the role table. Refuses with `forbidden`, `invalid` (key or label) and
 * `conflict` (the key exists). A role that the permission file does not name permits nothing.
 */
export type CreateRole = (input: {
  authorized: Authorized<'role', 'create'>
  key: string
  label: string
}) => Promise<Role>

/** Takes the proof of `role: create`. */
export function createCreateRole(parts: { roles: Roles; randomness: Randomness }): CreateRole {
  return async ({ authorized, ...fields }) => {
    assertProven(authorized)
    const { key, label } = parseFields({ key: roleKey(fields.key), label: roleLabel(fields.label) })
    const role = { uuid: parts.randomness.uuid(), key, label }
    if ((await parts.roles.insert(role)) === 'inserted') return role
    throw new Refusal('conflict', [
      { field: 'key', type: 'Duplicate', message: 'A role with this key exists already.' },
    ])
  }
}
