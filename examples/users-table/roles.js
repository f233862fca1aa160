/**
 * Roles and their assignments to users.
 *
 * @param {import('./database.js').Database} database
 * @returns {import('./database.js').SyncPort<import('kennel-id/ports').Roles>}
 */
export function rolesOf(database) {
  const insert = database.prepare('INSERT OR IGNORE INTO kennel_roles (key, uuid, label) VALUES (?, ?, ?)')
  /** @type {import('./database.js').Statement<import('kennel-id').Role>} */
  const list = database.prepare('SELECT uuid, key, label FROM kennel_roles ORDER BY key')
  /** @type {import('./database.js').Statement<{ readonly id: number }>} */
  const accountOf = database.prepare(
    'SELECT account_id AS id FROM kennel_accounts JOIN users ON users.id = user_id WHERE email = ?',
  )
  const hasRole = database.prepare('SELECT 1 FROM kennel_roles WHERE key = ?')
  const isHeld = database.prepare('SELECT 1 FROM kennel_memberships WHERE role_key = ?')
  const remove = database.prepare('DELETE FROM kennel_roles WHERE key = ?')
  const assign = database.prepare('INSERT OR IGNORE INTO kennel_memberships VALUES (?, ?)')
  const unassign = database.prepare('DELETE FROM kennel_memberships WHERE account_id = ? AND role_key = ?')

  /**
   * @template {string} Outcome
   * @param {import('./database.js').Statement<unknown>} statement
   * @param {readonly [Outcome, Outcome]} outcomes
   */
  function change(statement, [done, undone]) {
    return (/** @type {string} */ email, /** @type {string} */ key) => {
      const account = accountOf.get(email)
      if (!account) return 'unknown-account'
      if (!hasRole.get(key)) return 'unknown-role'
      return statement.run(account.id, key).changes > 0 ? done : undone
    }
  }

  return {
    insert: ({ key, uuid, label }) =>
      insert.run(key, uuid, label).changes > 0 ? 'inserted' : 'duplicate-key',
    list: () => list.all().map((row) => ({ ...row })),
    remove(key) {
      if (isHeld.get(key)) return 'held'
      return remove.run(key).changes > 0 ? 'removed' : 'unknown'
    },
    assign: change(assign, ['assigned', 'already-assigned']),
    unassign: change(unassign, ['unassigned', 'not-assigned']),
  }
}
