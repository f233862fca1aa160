import type { RoleKey } from '../../domain/access/role.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Roles } from '../../ports/roles.js'
import type { Database } from './database.js'
import { ROLE } from '../sql/records.js'
import { JOIN_ROLE } from './statements.js'

/** Stores roles and their assignments to accounts. */
export function createRoles({ prepare, read, write }: Database): Roles {
  const insert = prepare(
    `INSERT INTO roles (${ROLE.list}) VALUES (${ROLE.parameters}) ON CONFLICT DO NOTHING`,
  )
  const list = prepare(`SELECT ${ROLE.list} FROM roles ORDER BY key`)
  const account = prepare<readonly [AccountId]>('SELECT id FROM accounts WHERE email = ?')
  const role = prepare('SELECT 1 FROM roles WHERE key = ?')
  const isHeld = prepare(`
    SELECT 1 WHERE EXISTS (SELECT 1 FROM memberships WHERE role_key = ?1) OR EXISTS (
      SELECT 1 FROM api_key_roles AS m JOIN api_keys AS k ON k.id = m.api_key_id
      WHERE m.role_key = ?1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?2)
    )`)
  const takeFromKeys = prepare('DELETE FROM api_key_roles WHERE role_key = ?')
  const remove = prepare('DELETE FROM roles WHERE key = ?')
  const join = prepare(JOIN_ROLE)
  const leave = prepare('DELETE FROM memberships WHERE account_id = ? AND role_key = ?')

  async function change<T>(email: Email, key: RoleKey, work: (id: AccountId) => T) {
    return await write(() => {
      const found = account.get(email)
      if (!found) return 'unknown-account' as const
      return role.get(key) ? work(found[0]) : ('unknown-role' as const)
    })
  }

  return {
    insert: (added) =>
      write(() => (insert.run(...ROLE.values(added)).changes === 1 ? 'inserted' : 'duplicate-key')),
    list: () => read(() => list.all().map(ROLE.read)),
    remove: (key, at) =>
      write(() => {
        if (isHeld.get(key, at)) return 'held'
        takeFromKeys.run(key)
        return remove.run(key).changes === 1 ? 'removed' : 'unknown'
      }),
    assign: (email, key) =>
      change(email, key, (id) => (join.run(id, key).changes === 1 ? 'assigned' : 'already-assigned')),
    unassign: (email, key) =>
      change(email, key, (id) => (leave.run(id, key).changes === 1 ? 'unassigned' : 'not-assigned')),
  }
}
