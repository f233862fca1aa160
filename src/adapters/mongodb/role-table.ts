import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Database } from './database.js'
import type { RoleDocument } from './documents.js'

/** The roles of these keys, by key, each once, or the first key that the role table does not have. */
export async function rolesOfKeys(
  { roles }: Pick<Database, 'roles'>,
  keys: readonly RoleKey[],
): Promise<{ readonly roles: Role[] } | { readonly unknown: RoleKey }> {
  if (keys.length === 0) return { roles: [] }
  const found = await roles.find({ _id: { $in: [...keys] } }, { sort: { _id: 1 } }).toArray()
  const unknown = keys.find((key) => !found.some((role) => role._id === key))
  return unknown === undefined ? { roles: found.map(roleOf) } : { unknown }
}

export function roleOf({ _id, uuid, label }: RoleDocument): Role {
  return { uuid, key: _id, label }
}
