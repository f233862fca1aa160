import { emailRange } from '../../domain/identity/email.js'
import type { AccountSearch } from '../../ports/accounts.js'
import type { Database } from './database.js'
import { ACCOUNT_COLUMNS_BY_EMAIL, type AccountRow } from './rows.js'

/** The emails that begin with a text and come after one; `''` comes before them all, and every text before a blob. */
function inRange(email: string): string {
  return `${email} >= max(?1, ?3) AND ${email} < ifnull(?2, x'') AND ${email} <> ?3`
}

/** Each search is one range of the index that is named: SQLite would choose by what it guesses of the sizes. */
function ofAccounts(index: string, condition: string): string {
  return `
    SELECT ${ACCOUNT_COLUMNS_BY_EMAIL} FROM accounts AS a INDEXED BY ${index}
    WHERE ${inRange('a.email')} ${condition} ORDER BY a.email LIMIT ?4`
}

/** A membership has the email of its account, and whether that is disabled. */
function ofMembers(index: string, condition: string): string {
  return `
    SELECT ${ACCOUNT_COLUMNS_BY_EMAIL}
    FROM memberships AS m INDEXED BY ${index} CROSS JOIN accounts AS a ON a.id = m.account_id
    WHERE m.role_key = ?5 AND ${inRange('m.email')} ${condition} ORDER BY m.email LIMIT ?4`
}

/** The accounts of a search, in the order of their emails. */
export function prepareSearch(
  prepare: Database['prepare'],
): (search: AccountSearch) => readonly AccountRow[] {
  const all = prepare<AccountRow>(ofAccounts('sqlite_autoindex_accounts_1', ''))
  const disabled = prepare<AccountRow>(ofAccounts('accounts_of_disabled', 'AND a.disabled_at IS NOT NULL'))
  const members = prepare<AccountRow>(ofMembers('memberships_by_role', ''))
  const disabledMembers = prepare<AccountRow>(ofMembers('memberships_of_disabled', 'AND m.disabled = 1'))
  return ({ start, role, onlyDisabled = false, after = '', limit }) => {
    const { first, end = null } = emailRange(start)
    const range = [first, end, after, limit]
    if (role === undefined) return (onlyDisabled ? disabled : all).all(...range)
    return (onlyDisabled ? disabledMembers : members).all(...range, role)
  }
}
