import type { Roles } from '../../ports/roles.js'
import { ROLE } from '../sql/records.js'
import type { PostgresStatements } from './statements.js'

type Counts = readonly [accounts: number, roles: number, changes: number]

/** Stores roles and their assignments to accounts. Locks on a role's row order concurrent assignments and removals. */
export function createRoles({ read, write, attempt }: PostgresStatements): Roles {
  const insert = write(
    `INSERT INTO {roles} (${ROLE.list}) VALUES (${ROLE.parameters}) ON CONFLICT DO NOTHING`,
  )
  const list = read(`SELECT ${ROLE.list} FROM {roles} ORDER BY key`)
  const remove = attempt<readonly [roles: number, removed: number]>(`
    WITH role AS (SELECT key FROM {roles} WHERE key = ?1 FOR UPDATE),
    held AS (
      SELECT 1 FROM {memberships} WHERE role_key = ?1
      UNION ALL
      SELECT 1 FROM {api_key_roles} AS m JOIN {api_keys} AS k ON k.id = m.api_key_id
      WHERE m.role_key = ?1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?2)
    ),
    left_keys AS (
      DELETE FROM {api_key_roles} AS m USING role WHERE m.role_key = role.key AND NOT EXISTS (SELECT 1 FROM held)
    ),
    removed AS (
      DELETE FROM {roles} AS r USING role WHERE r.key = role.key AND NOT EXISTS (SELECT 1 FROM held) RETURNING 1
    )
    SELECT (SELECT count(*) FROM role), (SELECT count(*) FROM removed)`)
  const changing = (account: string, change: string) =>
    write<Counts>(`
      WITH account AS (SELECT id, email, disabled FROM {accounts} WHERE email = ?1 ${account}),
      role AS (SELECT key FROM {roles} WHERE key = ?2 FOR KEY SHARE),
      changed AS (${change} RETURNING 1)
      SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM role), (SELECT count(*) FROM changed)`)
  // Locks the account, so that the membership contains the account's current email and state.
  const assign = changing(
    'FOR UPDATE',
    `INSERT INTO {memberships} (account_id, role_key, email, disabled)
     SELECT account.id, role.key, account.email, account.disabled FROM account, role ON CONFLICT DO NOTHING`,
  )
  const unassign = changing(
    '',
    `DELETE FROM {memberships} AS m USING account, role WHERE m.account_id = account.id AND m.role_key = role.key`,
  )

  return {
    insert: async (role) => ((await insert.run(...ROLE.values(role))) === 1 ? 'inserted' : 'duplicate-key'),
    list: async () => (await list.all()).map(ROLE.read),
    remove: async (key, at) => {
      // A foreign key prevents the removal if the role was assigned after the statement had started.
      const [roles, removed] = (await remove.get(key, at)) ?? [1, 0]
      if (roles === 0) return 'unknown'
      return removed === 1 ? 'removed' : 'held'
    },
    assign: async (email, key) => outcomeOf(await assign.get(email, key), 'assigned', 'already-assigned'),
    unassign: async (email, key) => outcomeOf(await unassign.get(email, key), 'unassigned', 'not-assigned'),
  }
}

function outcomeOf<Changed, Unchanged>(
  [accounts, roles, changes]: Counts = [0, 0, 0],
  changed: Changed,
  unchanged: Unchanged,
) {
  if (accounts === 0) return 'unknown-account'
  if (roles === 0) return 'unknown-role'
  return changes === 1 ? changed : unchanged
}
