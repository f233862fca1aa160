import type { AccountId } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Database } from './database.js'
import { isDuplicate } from './faults.js'
import { ACCOUNT_COLUMNS, accountOf, type AccountRow } from './rows.js'

/** User accounts in the table `accounts`; the unique index on the email decides who was first. */
export function createAccounts({ prepare, read, write }: Database): Accounts {
  const insert = prepare('INSERT INTO accounts (email, password_hash, epoch, created_at) VALUES (?, ?, 1, ?)')
  const byEmail = prepare<AccountRow>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts AS a WHERE a.email = ?`)
  const byId = prepare<AccountRow>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts AS a WHERE a.id = ?`)
  const page = prepare<AccountRow>(
    `SELECT ${ACCOUNT_COLUMNS} FROM accounts AS a WHERE a.id > ? ORDER BY a.id LIMIT ?`,
  )
  const replaceHash = prepare('UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?')
  const setPassword = prepare('UPDATE accounts SET password_hash = ?, epoch = epoch + 1 WHERE id = ?')
  const setDisabled = prepare('UPDATE accounts SET disabled_at = ?, epoch = epoch + 1 WHERE id = ?')
  const removeSessions = prepare('DELETE FROM sessions WHERE account_id = ?')
  const remove = prepare('DELETE FROM accounts WHERE id = ?')

  return {
    insert: ({ email, passwordHash, createdAt }) =>
      write(() => {
        try {
          const id = insert.run(email, passwordHash ?? null, createdAt).lastInsertRowid as AccountId
          return { kind: 'inserted', id }
        } catch (error) {
          if (isDuplicate(error)) return { kind: 'duplicate-email' }
          throw error
        }
      }),
    findByEmail: (email) => read(() => found(byEmail.get(email))),
    find: (id) => read(() => found(byId.get(id))),
    page: (after, limit) => read(() => page.all(after ?? 0, limit).map(accountOf)),
    replaceHash: (id, expected, next) =>
      write(() => (replaceHash.run(next, id, expected).changes === 1 ? 'replaced' : 'changed')),
    setPassword: (id, hash) => write(() => (setPassword.run(hash, id).changes === 1 ? 'set' : 'unknown')),
    setDisabled: (id, at) => write(() => (setDisabled.run(at ?? null, id).changes === 1 ? 'set' : 'unknown')),
    remove: (id) =>
      write(() => {
        removeSessions.run(id)
        return remove.run(id).changes === 1 ? 'removed' : 'unknown'
      }),
  }
}

function found(row: AccountRow | undefined) {
  return row && accountOf(row)
}
