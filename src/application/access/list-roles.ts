import type { Caller } from '../../domain/access/caller.js'
import type { Role } from '../../domain/access/role.js'
import type { Roles } from '../../ports/roles.js'
import type { Authorize } from './authorize.js'

/** The role table, by key. Refuses with `forbidden`. */
export type ListRoles = (input: { caller: Caller }) => Promise<readonly Role[]>

/** Needs the grant `role: list`. */
export function createListRoles(parts: { authorize: Authorize; roles: Roles }): ListRoles {
  return async ({ caller }) => {
    parts.authorize(caller, 'role', 'list')
    return await parts.roles.list()
  }
}
