import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { SyncPort } from '../../application/wrap-port.js'
import type { Database } from './database.js'
import type { Row } from '../sql/statements.js'
import type { RowNames } from './row-changes.js'
import { accountOf, createStoredAccounts } from '../sql/accounts.js'
import { ACCOUNT_COLUMNS, ACCOUNT_COLUMNS_BY_EMAIL, JOIN_ROLE, statementsOf } from './statements.js'

/** `get` reads only one row, so SQLite runs the second SELECT only if the first SELECT finds nothing. */
const BY_EMAIL = `
  SELECT ${ACCOUNT_COLUMNS} FROM accounts AS a WHERE a.email = ? AND a.shared_email IS NULL
  UNION ALL
  SELECT ${ACCOUNT_COLUMNS} FROM accounts AS a
  WHERE a.shared_email = ? AND (a.email = ? OR (SELECT count(*) FROM accounts WHERE shared_email = ?) = 1)`

/** Cache size, enough for about 1,000 accounts: clients with HTTP Basic authentication need their account in each request. */
const CACHED_ACCOUNT_BYTES = 512 * 1024

/** An epoch change holds the write lock, so no session with the new epoch exists yet when the change removes all sessions. */
export function createAccounts(database: Database): Accounts {
  const { prepare, write } = database
  const insert = prepareInsert(prepare)
  const setPassword = prepare('UPDATE accounts SET password_hash = ?, epoch = epoch + 1 WHERE id = ?')
  const changePassword = prepare<readonly [epoch: Epoch]>(
    `UPDATE accounts SET password_hash = ?, epoch = epoch + 1
     WHERE id = ? AND password_hash = ? AND disabled_at IS NULL RETURNING epoch`,
  )
  const [changeEmail, setDisabled] = [prepareChangeEmail(prepare), prepareSetDisabled(prepare)]
  const removeSessions = prepare('DELETE FROM sessions WHERE account_id = ?')
  /** Removes the account's sessions if the result of `work` equals `outcome`. */
  const ending = <Outcome>(id: AccountId, outcome: Outcome, work: () => Outcome) =>
    write(() => {
      const made = work()
      if (made === outcome) removeSessions.run(id)
      return made
    })
  const removeActing = prepare('DELETE FROM sessions WHERE actor_id = ?')
  const remove = prepare('DELETE FROM accounts WHERE id = ? AND epoch = coalesce(?, epoch)')

  return {
    ...createStoredAccounts(statementsOf(database), {
      columns: ACCOUNT_COLUMNS,
      isListed: 'a.id IN (SELECT value FROM json_each(?))',
      searches: SEARCHES,
    }),
    insert: (account) => write(() => insert(account)),
    findByEmail: prepareFindByEmail(database),
    setPassword: (id, hash) =>
      ending(id, 'set', () => (setPassword.run(hash, id).changes === 0 ? 'unknown' : 'set')),
    changePassword: ({ id, expected, next }) =>
      write(() => {
        const epoch = changePassword.get(next, id, expected)?.[0]
        if (epoch !== undefined) removeSessions.run(id)
        return epoch
      }),
    changeEmail: (change) => ending(change.id, 'changed', () => changeEmail(change)),
    setDisabled: (id, ...change) => ending(id, 'set', () => setDisabled(id, ...change)),
    remove: (id, epoch) =>
      write(() => {
        if (remove.run(id, epoch ?? null).changes === 0) return 'unknown'
        removeSessions.run(id)
        removeActing.run(id)
        return 'removed'
      }),
  }
}

function prepareFindByEmail({ prepare, rowCaches, readCached }: Database): Accounts['findByEmail'] {
  const byEmail = prepare(BY_EMAIL)
  const cached = rowCaches.cache<Account | undefined>(CACHED_ACCOUNT_BYTES, onlyRowOf)
  return (email, former = email) =>
    readCached(() => cached(email, () => found(byEmail.get(email, email, former, email))))
}

/** Returns `undefined` for a shared email, because the result then also depends on other accounts. */
function onlyRowOf({ id, sharedEmail }: Account): RowNames | undefined {
  return sharedEmail === undefined ? [`account ${id}`] : undefined
}

function found(row: Row | undefined): Account | undefined {
  return row && accountOf(row)
}

export function prepareChangeEmail(prepare: Database['prepare']): SyncPort<Accounts>['changeEmail'] {
  const taken = prepare('SELECT 1 FROM accounts WHERE (email = ?1 OR shared_email = ?1) AND id <> ?2')
  const change = prepare(
    'UPDATE accounts SET email = ?, entered_email = ?, shared_email = NULL, epoch = epoch + 1 WHERE id = ?',
  )
  const relist = prepare('UPDATE memberships SET email = ? WHERE account_id = ?')
  return ({ id, email, enteredEmail }) => {
    if (taken.get(email, id)) return 'email-taken'
    if (change.run(email, enteredEmail ?? null, id).changes === 0) return 'unknown'
    relist.run(email, id)
    return 'changed'
  }
}

function prepareSetDisabled(prepare: Database['prepare']): SyncPort<Accounts>['setDisabled'] {
  const change = (state: string) =>
    prepare(`UPDATE accounts SET disabled_at = ?1, epoch = epoch + 1 WHERE id = ?2 AND disabled_at ${state}`)
  const [disable, enable] = [change('IS ?3'), change('= coalesce(?3, disabled_at)')]
  const known = prepare('SELECT 1 FROM accounts WHERE id = ?')
  const relist = prepare('UPDATE memberships SET disabled = ? WHERE account_id = ?')
  return (id, at, since) => {
    const { changes } = (at === undefined ? enable : disable).run(at ?? null, id, since ?? null)
    if (changes === 0) return known.get(id) ? 'unchanged' : 'unknown'
    relist.run(at === undefined ? 0 : 1, id)
    return 'set'
  }
}

/** Checks the roles before inserting, so that a refusal changes nothing. */
export function prepareInsert(prepare: Database['prepare']): SyncPort<Accounts>['insert'] {
  const insert = prepare(
    `INSERT INTO accounts (email, password_hash, epoch, created_at, disabled_at, entered_email)
     VALUES (?, ?, 1, ?, ?, ?)`,
  )
  const taken = prepare('SELECT 1 FROM accounts WHERE email = ? OR shared_email = ?')
  const role = prepare('SELECT 1 FROM roles WHERE key = ?')
  const join = prepare(JOIN_ROLE)

  return ({ email, enteredEmail = null, passwordHash = null, createdAt, disabledAt = null, roles = [] }) => {
    if (taken.get(email, email)) return { kind: 'duplicate-email' }
    const unknown = roles.find((key) => !role.get(key))
    if (unknown !== undefined) return { kind: 'unknown-role', role: unknown }
    const { lastInsertRowid } = insert.run(email, passwordHash, createdAt, disabledAt, enteredEmail)
    for (const key of roles) join.run(lastInsertRowid, key)
    return { kind: 'inserted', id: lastInsertRowid as AccountId }
  }
}

/**
 * Selects emails from `?1` up to, but not including, `?2` that follow the email `?3`. `''` sorts before every email, and a blob sorts after
 * every text.
 */
function searchIn(from: string, email: string, condition = ''): string {
  return `
    SELECT ${ACCOUNT_COLUMNS_BY_EMAIL} FROM ${from}
    WHERE ${email} >= max(?1, ?3) AND ${email} < ifnull(?2, x'') AND ${email} <> ?3 ${condition}
    ORDER BY ${email} LIMIT ?4`
}

const ofAccounts = (index: string) => `accounts AS a INDEXED BY ${index}`
const ofMembers = (index: string) =>
  `memberships AS m INDEXED BY ${index} CROSS JOIN accounts AS a ON a.id = m.account_id`

/**
 * Each search scans one range of the index that the query names. Without a named index, SQLite would choose an index by estimated sizes.
 */
const SEARCHES = {
  all: searchIn(ofAccounts('sqlite_autoindex_accounts_1'), 'a.email'),
  disabled: searchIn(ofAccounts('accounts_of_disabled'), 'a.email', 'AND a.disabled_at IS NOT NULL'),
  members: searchIn(ofMembers('memberships_by_role'), 'm.email', 'AND m.role_key = ?5'),
  disabledMembers: searchIn(
    ofMembers('memberships_of_disabled'),
    'm.email',
    'AND m.role_key = ?5 AND m.disabled = 1',
  ),
}
