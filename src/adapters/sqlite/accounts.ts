import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import type { AccountInsertion, Accounts, NewAccount } from '../../ports/accounts.js'
import type { Database } from './database.js'
import { prepareResets } from './password-resets.js'
import { prepareSearch } from './account-search.js'
import { ACCOUNT_COLUMNS, accountOf, JOIN_ROLE, type AccountRow } from './rows.js'

/** SQLite reads the second half only if the first gives nothing: `get` takes a single row. */
const BY_EMAIL = `
  SELECT ${ACCOUNT_COLUMNS} FROM accounts AS a WHERE a.email = ? AND a.shared_email IS NULL
  UNION ALL
  SELECT ${ACCOUNT_COLUMNS} FROM accounts AS a
  WHERE a.shared_email = ? AND (a.email = ? OR (SELECT count(*) FROM accounts WHERE shared_email = ?) = 1)`

/** User accounts in the table `accounts`; the unique index on the email decides who was first. */
export function createAccounts({ prepare, read, write }: Database): Accounts {
  const insert = prepareInsert(prepare)
  const byEmail = prepare<AccountRow>(BY_EMAIL)
  const byId = prepare<AccountRow>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts AS a WHERE a.id = ?`)
  const page = preparePages(prepare)
  const search = prepareSearch(prepare)
  const replaceHash = prepare('UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?')
  const setPassword = prepare('UPDATE accounts SET password_hash = ?, epoch = epoch + 1 WHERE id = ?')
  const changePassword = prepare<readonly [epoch: Epoch]>(
    `UPDATE accounts SET password_hash = ?, epoch = epoch + 1
     WHERE id = ? AND password_hash = ? AND disabled_at IS NULL RETURNING epoch`,
  )
  const setDisabled = prepareSetDisabled(prepare)
  const { issue, holds, consume, ends } = prepareResets(prepare)
  // Whatever moves the epoch holds the write lock: no session of the new epoch can be among these.
  const removeSessions = prepare('DELETE FROM sessions WHERE account_id = ?')
  const remove = prepareRemove(prepare)

  return {
    insert: (account) => write(() => insert(account)),
    findByEmail: (email, former = email) => read(() => found(byEmail.get(email, email, former, email))),
    find: (id) => read(() => found(byId.get(id))),
    page: (...request) => read(() => page(...request).map(accountOf)),
    search: (request) => read(() => search(request).map(accountOf)),
    replaceHash: (id, expected, next) =>
      write(() => (replaceHash.run(next, id, expected).changes === 1 ? 'replaced' : 'changed')),
    setPassword: (id, hash) =>
      write(() => {
        if (setPassword.run(hash, id).changes === 0) return 'unknown'
        removeSessions.run(id)
        return 'set'
      }),
    changePassword: ({ id, expected, next }) =>
      write(() => {
        const epoch = changePassword.get(next, id, expected)?.[0]
        if (epoch !== undefined) removeSessions.run(id)
        return epoch
      }),
    setDisabled: (id, at) =>
      write(() => {
        const outcome = setDisabled(id, at)
        if (outcome === 'set') removeSessions.run(id)
        return outcome
      }),
    issueResetToken: (id, epoch, made) => write(() => (issue(id, epoch, made) ? 'issued' : 'changed')),
    holdsResetToken: (email, digest, at) => read(() => holds(email, digest, at)),
    consumeResetToken: (ask) =>
      write(() => {
        const id = consume(ask)
        if (id !== undefined) removeSessions.run(id)
        return id
      }),
    resetTokenEnds: (id) => read(() => ends(id)),
    remove: (id, epoch) => write(() => remove(id, epoch)),
  }
}

function prepareRemove(prepare: Database['prepare']) {
  const remove = prepare('DELETE FROM accounts WHERE id = ? AND epoch = coalesce(?, epoch)')
  const removeOwn = prepare('DELETE FROM sessions WHERE account_id = ?')
  const removeActing = prepare('DELETE FROM sessions WHERE actor_id = ?')
  return (id: AccountId, epoch: Epoch | undefined): 'removed' | 'unknown' => {
    if (remove.run(id, epoch ?? null).changes === 0) return 'unknown'
    removeOwn.run(id)
    removeActing.run(id)
    return 'removed'
  }
}

function prepareSetDisabled(prepare: Database['prepare']) {
  const disable = prepare(
    'UPDATE accounts SET disabled_at = ?, epoch = epoch + 1 WHERE id = ? AND disabled_at IS NULL',
  )
  const enable = prepare(
    'UPDATE accounts SET disabled_at = NULL, epoch = epoch + 1 WHERE id = ? AND disabled_at IS NOT NULL',
  )
  const known = prepare('SELECT 1 FROM accounts WHERE id = ?')
  const relist = prepare('UPDATE memberships SET disabled = ? WHERE account_id = ?')
  return (id: AccountId, at: Instant | undefined): 'set' | 'unchanged' | 'unknown' => {
    const { changes } = at === undefined ? enable.run(id) : disable.run(at, id)
    if (changes === 0) return known.get(id) ? 'unchanged' : 'unknown'
    relist.run(at === undefined ? 0 : 1, id)
    return 'set'
  }
}

/** The role table is asked before, so that nothing has to be taken back. */
function prepareInsert(prepare: Database['prepare']): (account: NewAccount) => AccountInsertion {
  const insert = prepare(
    'INSERT INTO accounts (email, password_hash, epoch, created_at, entered_email) VALUES (?, ?, 1, ?, ?)',
  )
  const taken = prepare('SELECT 1 FROM accounts WHERE email = ? OR shared_email = ?')
  const role = prepare('SELECT 1 FROM roles WHERE key = ?')
  const join = prepare(JOIN_ROLE)

  return ({ email, enteredEmail, passwordHash, createdAt, roles = [] }) => {
    if (taken.get(email, email)) return { kind: 'duplicate-email' }
    const unknown = roles.find((key) => !role.get(key))
    if (unknown !== undefined) return { kind: 'unknown-role', role: unknown }
    const { lastInsertRowid } = insert.run(email, passwordHash ?? null, createdAt, enteredEmail ?? null)
    for (const key of roles) join.run(lastInsertRowid, key)
    return { kind: 'inserted', id: lastInsertRowid as AccountId }
  }
}

function found(row: AccountRow | undefined) {
  return row && accountOf(row)
}

function preparePages(
  prepare: Database['prepare'],
): (...request: Parameters<Accounts['page']>) => readonly AccountRow[] {
  const pageOf = (rest: string) =>
    prepare<AccountRow>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts AS a WHERE ${rest} LIMIT ?`)
  const forward = pageOf('a.id > ? ORDER BY a.id')
  const back = pageOf('a.id < ? ORDER BY a.id DESC')
  return (after, limit, order) =>
    order === 'newest-first'
      ? back.all(after ?? Number.MAX_SAFE_INTEGER, limit)
      : forward.all(after ?? 0, limit)
}
