import { randomUUID } from 'node:crypto'
import type { Collection } from 'mongodb'
import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Email } from '../../domain/identity/email.js'
import type { Instant } from '../../domain/instant.js'
import type { Roles } from '../../ports/roles.js'
import type { Database } from './database.js'
import { validAt, type RoleDocument } from './documents.js'
import { isDuplicateOf } from './errors.js'
import { exists, insertCounted, insertOwn } from './writes.js'

/** Stores roles. Assigning a role copies it into the account's document. */
export function createRoles(database: Database): Roles {
  const { roles, accounts } = database

  async function missing(email: Email, key: RoleKey) {
    if (!(await exists(accounts, { email }))) return 'unknown-account'
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
    remove: (key, at) => removeRole(database, key, at),
    async assign(email, key) {
      const document = await roles.findOne({ _id: key })
      if (!document) return (await missing(email, key)) ?? 'unknown-role'
      const role = roleOf(document)
      const added = { $each: [role], $sort: { key: 1 as const } }
      const without = { email, 'roles.key': { $ne: key } }
      const { matchedCount } = await accounts.updateOne(without, { $push: { roles: added } })
      if (matchedCount === 0 && !(await exists(accounts, { email }))) return 'unknown-account'
      if ((await removedOf(database, [role])) === undefined)
        return matchedCount === 1 ? 'assigned' : 'already-assigned'
      const { uuid } = role
      await accounts.updateMany({ 'roles.key': key }, { $pull: { roles: { key, uuid } } })
      return 'unknown-role'
    },
    async unassign(email, key) {
      const removed = { $pull: { roles: { key } } }
      const { matchedCount } = await accounts.updateOne({ email, 'roles.key': key }, removed)
      return matchedCount === 1 ? 'unassigned' : ((await missing(email, key)) ?? 'not-assigned')
    },
  }
}

/**
 * Marks the role, searches for accounts that have the role, and deletes the role only if its marker is unchanged. A concurrent assignment
 * first writes and then looks for a marker (`removedOf`): if the search missed the assignment, the assignment finds the marker. The next
 * removal takes over the marker of a removal that was killed, and concurrent removals share a marker. Because removals share a marker, a
 * cleared marker must never be restored: otherwise, a removal whose search missed an assignment would delete the role.
 */
async function removeRole({ roles, accounts, apiKeys }: Database, key: RoleKey, at: Instant) {
  const held = { 'roles.key': key }
  for (;;) {
    const removing = { $ifNull: ['$removing', randomUUID()] }
    const marked = await roles.findOneAndUpdate({ _id: key }, [{ $set: { removing } }], {
      returnDocument: 'after',
    })
    if (!marked?.removing) return 'unknown'
    const same = { _id: key, removing: marked.removing }
    if ((await accounts.findOne(held)) || (await apiKeys.findOne({ ...held, ...validAt(at) }))) {
      await roles.updateOne(same, { $unset: { removing: true } })
      // If a concurrent removal has deleted the role, the assignment found above will be undone.
      if (await roles.findOne({ _id: key, uuid: marked.uuid })) return 'held'
      continue
    }
    await apiKeys.updateMany({ ...held, $nor: [validAt(at)] }, { $pull: { roles: { key } } })
    if ((await roles.deleteOne(same)).deletedCount === 1) return 'removed'
  }
}

/**
 * Must be called after a write that assigns roles. Returns the first role that was removed in the meantime; the caller must then undo its
 * write. Clears the markers of concurrent removals, so that each removal repeats its search for accounts with the role.
 */
async function removedOf(
  { roles }: Pick<Database, 'roles'>,
  assigned: readonly Role[],
): Promise<RoleKey | undefined> {
  if (assigned.length === 0) return undefined
  const these = { _id: { $in: assigned.map(({ key }) => key) } }
  const read = async () => await roles.find(these).toArray()
  let found = await read()
  if (found.some(({ removing }) => removing !== undefined)) {
    await roles.updateMany({ ...these, removing: { $exists: true } }, { $unset: { removing: true } })
    found = await read()
  }
  return assigned.find(({ uuid }) => !found.some((one) => one.uuid === uuid))?.key
}

/** Returns the distinct roles with these keys, sorted by key, or the first unknown key. */
async function rolesOfKeys(
  { roles }: Pick<Database, 'roles'>,
  keys: readonly RoleKey[],
): Promise<{ readonly roles: Role[] } | { readonly unknown: RoleKey }> {
  if (keys.length === 0) return { roles: [] }
  const found = (await roles.find({ _id: { $in: [...keys] } }, { sort: { _id: 1 } }).toArray()).map(roleOf)
  const unknown = keys.find((key) => !found.some((role) => role.key === key))
  return unknown === undefined ? { roles: found } : { unknown }
}

type RoleInsertion<Id> =
  { readonly kind: 'inserted'; readonly id: Id } | { readonly kind: 'unknown-role'; readonly role: RoleKey }

/** Inserts a document with the next ID and the roles with these keys, and removes it if a role was removed in the meantime. */
export async function insertWithRoles<Id extends number>(
  database: Database,
  counter: 'accounts' | 'apiKeys',
  keys: readonly RoleKey[],
  insert: (id: Id, roles: Role[]) => Promise<void>,
): Promise<RoleInsertion<Id>> {
  const found = await rolesOfKeys(database, keys)
  if ('unknown' in found) return { kind: 'unknown-role', role: found.unknown }
  const id = await insertCounted<Id>(database, counter, (next) => insert(next, found.roles))
  const removed = await removedOf(database, found.roles)
  if (removed === undefined) return { kind: 'inserted', id }
  await (database[counter] as unknown as Collection<{ _id: number }>).deleteOne({ _id: id })
  return { kind: 'unknown-role', role: removed }
}

export function roleOf({ _id, uuid, label }: RoleDocument): Role {
  return { uuid, key: _id, label }
}
