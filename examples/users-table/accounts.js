import { randomUUID } from 'node:crypto'

const ACCOUNT = `
  SELECT a.account_id AS id, u.email, u.password_hash AS passwordHash, a.epoch, a.disabled_at AS disabledAt,
    u.created_at AS createdAt, a.entered_email AS enteredEmail,
    (SELECT json_group_array(json_object('uuid', uuid, 'key', key, 'label', label)) FROM (
      SELECT r.* FROM kennel_memberships AS m JOIN kennel_roles AS r ON r.key = m.role_key
      WHERE m.account_id = a.account_id ORDER BY r.key
    )) AS roles
  FROM kennel_accounts AS a JOIN users AS u ON u.id = a.user_id`

/**
 * @typedef {import('./database.js').Database} Database
 * @typedef {import('kennel-id').Account} Account
 * @typedef {import('kennel-id').Epoch} Epoch
 */

/**
 * A row of ACCOUNT; `roles` is JSON.
 *
 * @typedef {{
 *   readonly id: Account['id'],
 *   readonly email: Account['email'],
 *   readonly passwordHash: import('kennel-id').PasswordHash | null,
 *   readonly epoch: Epoch,
 *   readonly disabledAt: number | null,
 *   readonly createdAt: number,
 *   readonly enteredEmail: Account['email'] | null,
 *   readonly roles: string,
 * }} AccountRow
 * @typedef {import('./database.js').Statement<AccountRow>} AccountStatement
 */

/**
 * Each account is a user in the table, with the number that Kennel uses as the account ID.
 *
 * @param {Database} database
 * @returns {import('./database.js').SyncPort<import('kennel-id/ports').RequiredCalls<'accounts'>>}
 */
export function accountsOf(database) {
  /** @type {AccountStatement} */
  const byId = database.prepare(`${ACCOUNT} WHERE a.account_id = ?`)
  /** @type {AccountStatement} */
  const byEmail = database.prepare(`${ACCOUNT} WHERE u.email = ?`)
  /** @type {AccountStatement} */
  const upwards = database.prepare(`${ACCOUNT} WHERE a.account_id > ? ORDER BY a.account_id LIMIT ?`)
  /** @type {AccountStatement} */
  const downwards = database.prepare(`${ACCOUNT} WHERE a.account_id < ? ORDER BY a.account_id DESC LIMIT ?`)
  /** @type {AccountStatement} */
  const search = database.prepare(`${ACCOUNT}
    WHERE u.email >= max(:start, :after) AND u.email <> :after AND substr(u.email, 1, length(:start)) = :start
      AND (:role IS NULL OR EXISTS (
        SELECT 1 FROM kennel_memberships WHERE account_id = a.account_id AND role_key = :role
      ))
      AND (NOT :onlyDisabled OR a.disabled_at IS NOT NULL)
    ORDER BY u.email LIMIT :limit`)
  const insertUser = database.prepare(
    'INSERT INTO users (id, email, password_hash, created_at) VALUES (?, ?, ?, ?)',
  )
  const setEntered = database.prepare('UPDATE kennel_accounts SET entered_email = ? WHERE account_id = ?')
  const complete = database.prepare(
    'UPDATE kennel_accounts SET entered_email = ?, disabled_at = ? WHERE account_id = ?',
  )
  const hasRole = database.prepare('SELECT 1 FROM kennel_roles WHERE key = ?')
  const insertMembership = database.prepare('INSERT OR IGNORE INTO kennel_memberships VALUES (?, ?)')
  const setEmail = database.prepare(
    'UPDATE users SET email = ? WHERE id = (SELECT user_id FROM kennel_accounts WHERE account_id = ?)',
  )
  const setHash = database.prepare(
    'UPDATE users SET password_hash = ? WHERE id = (SELECT user_id FROM kennel_accounts WHERE account_id = ?)',
  )
  const setDisabled = database.prepare('UPDATE kennel_accounts SET disabled_at = ? WHERE account_id = ?')
  const removeUser = database.prepare(
    'DELETE FROM users WHERE id = (SELECT user_id FROM kennel_accounts WHERE account_id = ?)',
  )

  /** A row that this transaction has written. */
  function written(/** @type {string} */ email) {
    const row = byEmail.get(email)
    if (!row) throw new Error('The new account cannot be read.')
    return row
  }

  return {
    insert({ email, enteredEmail, passwordHash, createdAt, disabledAt, roles = [] }) {
      // `duplicate-email` takes precedence over `unknown-role`.
      if (byEmail.get(email)) return { kind: 'duplicate-email' }
      const role = roles.find((key) => !hasRole.get(key))
      if (role !== undefined) return { kind: 'unknown-role', role }
      insertUser.run(randomUUID(), email, passwordHash ?? null, createdAt)
      const { id } = written(email)
      complete.run(enteredEmail ?? null, disabledAt ?? null, id)
      for (const key of roles) insertMembership.run(id, key)
      return { kind: 'inserted', id }
    },
    findByEmail: (email) => found(byEmail.get(email)),
    find: (id) => found(byId.get(id)),
    page: (after, limit, order) =>
      order === 'newest-first'
        ? downwards.all(after ?? Number.MAX_SAFE_INTEGER, limit).map(accountOf)
        : upwards.all(after ?? 0, limit).map(accountOf),
    search: ({ start = '', role, onlyDisabled = false, after = '', limit }) =>
      search
        .all({ start, role: role ?? null, onlyDisabled: onlyDisabled ? 1 : 0, after, limit })
        .map(accountOf),
    replaceHash(id, expected, next) {
      if (byId.get(id)?.passwordHash !== expected) return 'changed'
      setHash.run(next, id)
      return 'replaced'
    },
    setPassword(id, hash) {
      if (setHash.run(hash, id).changes === 0) return 'unknown'
      bumpEpoch(database, id)
      return 'set'
    },
    changePassword({ id, expected, next }) {
      const row = byId.get(id)
      if (row?.passwordHash !== expected || row.disabledAt !== null) return undefined
      setHash.run(next, id)
      bumpEpoch(database, id)
      return nextEpoch(row.epoch)
    },
    changeEmail({ id, email, enteredEmail }) {
      if (!byId.get(id)) return 'unknown'
      if ((byEmail.get(email)?.id ?? id) !== id) return 'email-taken'
      setEmail.run(email, id)
      setEntered.run(enteredEmail ?? null, id)
      bumpEpoch(database, id)
      return 'changed'
    },
    setDisabled(id, at, since) {
      const row = byId.get(id)
      if (!row) return 'unknown'
      const { disabledAt } = row
      if (since === undefined ? (disabledAt === null) === (at === undefined) : disabledAt !== since) {
        return 'unchanged'
      }
      setDisabled.run(at ?? null, id)
      bumpEpoch(database, id)
      return 'set'
    },
    remove(id, epoch) {
      const row = byId.get(id)
      if (!row || row.epoch !== (epoch ?? row.epoch)) return 'unknown'
      bumpEpoch(database, id)
      return removeUser.run(id).changes > 0 ? 'removed' : 'unknown'
    },
  }
}

/**
 * Every session contains an epoch, so a new epoch ends all sessions of the account, including those in which it is the actor.
 *
 * @param {Database} database
 * @param {number} id
 */
export function bumpEpoch(database, id) {
  const { changes } = database
    .prepare('UPDATE kennel_accounts SET epoch = epoch + 1 WHERE account_id = ?')
    .run(id)
  database.prepare('DELETE FROM kennel_sessions WHERE account_id = ?').run(id)
  return changes > 0
}

function nextEpoch(/** @type {Epoch} */ epoch) {
  return /** @type {Epoch} */ (epoch + 1)
}

function found(/** @type {AccountRow | undefined} */ row) {
  return row && accountOf(row)
}

/**
 * Omits columns that are null.
 *
 * @param {AccountRow} row
 * @returns {Account}
 */
function accountOf({ id, email, epoch, createdAt, passwordHash, disabledAt, enteredEmail, roles }) {
  return {
    ...{ id, email, epoch, createdAt, roles: JSON.parse(roles) },
    ...(passwordHash !== null && { passwordHash }),
    ...(disabledAt !== null && { disabledAt }),
    ...(enteredEmail !== null && { enteredEmail }),
  }
}
