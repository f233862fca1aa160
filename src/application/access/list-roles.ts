import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Roles } from '../../ports/roles.js'
import { fields, optional } from '../fields.js'
import { count, textAs } from '../inputs.js'
import { operation } from '../operation.js'

/**
 * The role table, by key: roles whose key comes after `after` by code unit, at most `limit`; all of them by default. `after`
 * need not be the key of a role. The table is read as a whole.
 */
export const listRoles = operation({
  permission: ['role', 'list'],
  input: fields({ after: optional(textAs<RoleKey>()), limit: optional(count) }),
  parts: ['roles'],
  run:
    ({ roles }: { roles: Roles }) =>
    async ({ after, limit }): Promise<readonly Role[]> => {
      const all = await roles.list()
      return all.filter(({ key }) => after === undefined || key > after).slice(0, limit)
    },
})
