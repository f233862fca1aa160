import type { Role, RoleKey } from '../../domain/access/role.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Roles } from '../../ports/roles.js'
import type { Database } from './database.js'
import { JOIN_ROLE } from './rows.js'

type RoleRow = readonly [uuid: string, key: RoleKey, label: string]

/** The role table and who is a member; a membership is one row, however often it is given. */
export function createRoles({ prepare, read, write }: Database): Roles {
  const insert = prepare('INSERT INTO roles (key, uuid, label) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
  const list = prepare<RoleRow>('SELECT uuid, key, label FROM roles ORDER BY key')
  const account = prepare<readonly [AccountId]>('SELECT id FROM accounts WHERE email = ?')
  const role = prepare('SELECT 1 FROM roles WHERE key = ?')
  const join = prepare(JOIN_ROLE)
  const leave = prepare('DELETE FROM memberships WHERE account_id = ? AND role_key = ?')

  function change<T>(email: Email, key: RoleKey, write: (id: AccountId) => T) {
    const found = account.get(email)
    if (!found) return 'unknown-account' as const
    return role.get(key) ? write(found[0]) : ('unknown-role' as const)
  }

  return {
    insert: ({ uuid, key, label }) =>
      write(() => (insert.run(key, uuid, label).changes === 1 ? 'inserted' : 'duplicate-key')),
    list: () => read(() => list.all().map(roleOf)),
    assign: (email, key) =>
      write(() =>
        change(email, key, (id) => (join.run(id, key).changes === 1 ? 'assigned' : 'already-assigned')),
      ),
    unassign: (email, key) =>
      write(() =>
        change(email, key, (id) => (leave.run(id, key).changes === 1 ? 'unassigned' : 'not-assigned')),
      ),
  }
}

function roleOf([uuid, key, label]: RoleRow): Role {
  return { uuid, key, label }
}
