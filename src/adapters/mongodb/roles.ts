import type { RoleKey } from '../../domain/access/role.js'
import type { Email } from '../../domain/identity/email.js'
import type { Roles } from '../../ports/roles.js'
import type { Database } from './database.js'
import { isDuplicateOf } from './errors.js'
import { insertOwn } from './writes.js'
import { roleOf } from './role-table.js'

/** The role table; a membership is the role in its account's document, put there once by one update. */
export function createRoles({ roles, accounts, run }: Database): Roles {
  async function missing(email: Email, key: RoleKey) {
    if (!(await accounts.findOne({ email }, { projection: { _id: 1 } }))) return 'unknown-account'
    return (await roles.findOne({ _id: key })) ? undefined : 'unknown-role'
  }

  async function assign(email: Email, key: RoleKey) {
    const role = await roles.findOne({ _id: key })
    if (!role) return (await missing(email, key)) ?? 'unknown-role'
    const { matchedCount } = await accounts.updateOne(
      { email, 'roles.key': { $ne: key } },
      { $push: { roles: { $each: [roleOf(role)], $sort: { key: 1 } } } },
    )
    return matchedCount === 1 ? 'assigned' : ((await missing(email, key)) ?? 'already-assigned')
  }

  async function unassign(email: Email, key: RoleKey) {
    const { matchedCount } = await accounts.updateOne(
      { email, 'roles.key': key },
      { $pull: { roles: { key } } },
    )
    return matchedCount === 1 ? 'unassigned' : ((await missing(email, key)) ?? 'not-assigned')
  }

  return {
    insert: ({ uuid, key, label }) =>
      run(async () => {
        try {
          await insertOwn(roles, { _id: key, uuid, label })
          return 'inserted'
        } catch (error) {
          if (isDuplicateOf(error, '_id')) return 'duplicate-key'
          throw error
        }
      }),
    list: () => run(async () => (await roles.find({}, { sort: { _id: 1 } }).toArray()).map(roleOf)),
    assign: (email, key) => run(() => assign(email, key)),
    unassign: (email, key) => run(() => unassign(email, key)),
  }
}
