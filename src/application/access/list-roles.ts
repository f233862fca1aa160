import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Roles } from '../../ports/roles.js'
import { assertProven, type Authorized } from './authorize.js'

/**
 * The role table, by key: roles whose key comes after `after` by code unit, which need not be a role's, at most `limit`;
 * all unless told. The table is read as a whole. Refuses with `forbidden`.
 */
export type ListRoles = (input: {
  authorized: Authorized<'role', 'list'>
  after?: RoleKey | undefined
  limit?: number | undefined
}) => Promise<readonly Role[]>

/** Takes the proof of `role: list`. */
export function createListRoles(parts: { roles: Roles }): ListRoles {
  return async ({ authorized, after, limit }) => {
    assertProven(authorized)
    const roles = await parts.roles.list()
    return roles.filter(({ key }) => after === undefined || key > after).slice(0, limit)
  }
}
