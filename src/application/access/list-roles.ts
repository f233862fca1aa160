import type { Role } from '../../domain/access/role.js'
import type { Roles } from '../../ports/roles.js'
import { assertProven, type Authorized } from './authorize.js'

/** The role table, by key. Refuses with `forbidden`. */
export type ListRoles = (input: { authorized: Authorized<'role', 'list'> }) => Promise<readonly Role[]>

/** Takes the proof of `role: list`. */
export function createListRoles(parts: { roles: Roles }): ListRoles {
  return async ({ authorized }) => {
    assertProven(authorized)
    return await parts.roles.list()
  }
}
