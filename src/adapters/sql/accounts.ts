import type { Account } from '../../domain/identity/account.js'
import { emailRange } from '../../domain/identity/email.js'
import type { Accounts } from '../../ports/accounts.js'
import { ACCOUNT, parseRoles } from './records.js'
import type { Row, Statements } from './statements.js'

/** Returns the columns of an account for queries with the table alias `a`. `roles` selects the roles of the account as JSON text. */
export function accountColumns(roles: string): string {
  return [...ACCOUNT.columns.map((column) => `a.${column}`), `${roles} AS roles`].join(', ')
}

export function accountOf(row: Row): Account {
  return { ...ACCOUNT.read(row), roles: parseRoles(row[ACCOUNT.columns.length]) }
}

/**
 * The queries of `search`: for all accounts, for disabled accounts, and for both kinds of accounts with a role. Their parameters are the
 * first email, the end of the emails or NULL, the email of the previous page, the limit, and the role.
 */
type Searches = Readonly<Record<'all' | 'disabled' | 'members' | 'disabledMembers', string>>

/** The parts of the queries that differ between databases. */
type Dialect = {
  /** The result of `accountColumns`. */
  readonly columns: string
  /** SQL condition: the ID of the account is in a JSON array. */
  readonly isListed: string
  readonly searches: Searches
}

/** The calls of `Accounts` that are the same in all databases. */
export function createStoredAccounts(
  { read, write }: Statements,
  { columns, isListed, searches }: Dialect,
): Pick<Accounts, 'find' | 'findMany' | 'page' | 'search' | 'replaceHash'> {
  const select = (rest: string) => read(`SELECT ${columns} FROM {accounts} AS a WHERE ${rest}`)
  const byId = select('a.id = ?')
  const many = select(`${isListed} ORDER BY a.id`)
  const forward = select('a.id > ? ORDER BY a.id LIMIT ?')
  const back = select('a.id < ? ORDER BY a.id DESC LIMIT ?')
  const [all, disabled] = [read(searches.all), read(searches.disabled)]
  const [members, disabledMembers] = [read(searches.members), read(searches.disabledMembers)]
  const replaceHash = write('UPDATE {accounts} SET password_hash = ? WHERE id = ? AND password_hash = ?')

  return {
    find: async (id) => {
      const row = await byId.get(id)
      return row && accountOf(row)
    },
    findMany: async (ids) => (await many.all(JSON.stringify(ids))).map(accountOf),
    page: async (after, limit, order) => {
      const isBack = order === 'newest-first'
      const rows = isBack ? back.all(after ?? Number.MAX_SAFE_INTEGER, limit) : forward.all(after ?? 0, limit)
      return (await rows).map(accountOf)
    },
    search: async ({ start, role, onlyDisabled = false, after = '', limit }) => {
      const { first, end = null } = emailRange(start)
      const range = [first, end, after, limit]
      const rows =
        role === undefined
          ? (onlyDisabled ? disabled : all).all(...range)
          : (onlyDisabled ? disabledMembers : members).all(...range, role)
      return (await rows).map(accountOf)
    },
    replaceHash: async (id, expected, next) =>
      (await replaceHash.run(next, id, expected)) === 1 ? 'replaced' : 'changed',
  }
}
