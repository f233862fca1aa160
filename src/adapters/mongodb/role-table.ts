import type { Collection } from 'mongodb'
import type { Role, RoleKey } from '../../domain/access/role.js'
import type { RoleDocument } from './documents.js'

/** Roles by key as they were read before: a role never changes and never goes. */
export type KnownRoles = Map<RoleKey, Role>

type Parts = { readonly roles: Collection<RoleDocument>; readonly knownRoles: KnownRoles }

/** The roles of these keys, by key, each once, or the first key that the role table does not have. */
export async function rolesOfKeys(
  { roles, knownRoles }: Parts,
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
