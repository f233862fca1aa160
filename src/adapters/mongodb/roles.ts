import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Email } from '../../domain/identity/email.js'
import type { Roles } from '../../ports/roles.js'
import type { Database } from './database.js'
import type { RoleDocument } from './documents.js'
import { isDuplicateOf } from './errors.js'
import { insertOwn } from './writes.js'

/** A membership is a copy of the role in the document of the account. */
export function createRoles({ roles, accounts }: Database): Roles {
  async function missing(email: Email, key: RoleKey) {
    if (!(await accounts.findOne({ email }, { projection: { _id: 1 } }))) return 'unknown-account'
    return (await roles.findOne({ _id: key })) ? undefined : 'unknown-role'
  }

  return {
    async insert({ uuid, key, label }) {
      try {
        await insertOwn(roles, { _id: key, uuid, label })
        return 'inserted'
      } catch (error) {
        if (isDuplicateOf(error, '_id')) return 'duplicate-key'
        throw error
      }
    },
    list: async () => (await roles.find({}, { sort: { _id: 1 } }).toArray()).map(roleOf),
    async assign(email, key) {
      const role = await roles.findOne({ _id: key })
      if (!role) return (await missing(email, key)) ?? 'unknown-role'
      const added = { $each: [roleOf(role)], $sort: { key: 1 as const } }
      const without = { email, 'roles.key': { $ne: key } }
      const { matchedCount } = await accounts.updateOne(without, { $push: { roles: added } })
      return matchedCount === 1 ? 'assigned' : ((await missing(email, key)) ?? 'already-assigned')
    },
    async unassign(email, key) {
      const removed = { $pull: { roles: { key } } }
      const { matchedCount } = await accounts.updateOne({ email, 'roles.key': key }, removed)
      return matchedCount === 1 ? 'unassigned' : ((await missing(email, key)) ?? 'not-assigned')
    },
  }
}

/** The roles of these keys, each once, in the order of keys; or the first unknown key. */
export async function rolesOfKeys(
  { roles, knownRoles }: Pick<Database, 'roles' | 'knownRoles'>,
  keys: readonly RoleKey[],
): Promise<{ readonly roles: Role[] } | { readonly unknown: RoleKey }> {
  const wanted = [...new Set(keys)].sort()
  const unread = wanted.filter((key) => !knownRoles.has(key))
  if (unread.length > 0) {
    for (const role of await roles.find({ _id: { $in: unread } }).toArray()) {
      knownRoles.set(role._id, roleOf(role))
    }
  }
  const unknown = keys.find((key) => !knownRoles.has(key))
  if (unknown !== undefined) return { unknown }
  return { roles: wanted.flatMap((key) => knownRoles.get(key) ?? []) }
}

export function roleOf({ _id, uuid, label }: RoleDocument): Role {
  return { uuid, key: _id, label }
}
