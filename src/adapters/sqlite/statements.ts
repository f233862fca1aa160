import type { Row, Statement, Statements } from '../sql/statements.js'
import type { Database } from './database.js'
import { accountColumns } from '../sql/accounts.js'

/** Prepares statements that each run as one call. Row locks are unnecessary, because SQLite has only one writer at a time. */
export function statementsOf({
  prepare,
  read,
  write,
}: Pick<Database, 'prepare' | 'read' | 'write'>): Statements {
  const runWith =
    (call: Database['read'] | Database['write']) =>
    <R extends Row>(sql: string): Statement<R> => {
      const prepared = prepare<R>(sql)
      return {
        run: (...values) => call(() => prepared.run(...values).changes),
        get: (...values) => call(() => prepared.get(...values)),
        all: (...values) => call(() => prepared.all(...values)),
      }
    }
  return { read: runWith(read), write: runWith(write), skipLocked: '', keyShare: '' }
}

/** Selects the roles of one account or API key as a JSON array. `owner` is the column of `members` that refers to `id`. */
export function rolesOf(members: 'memberships' | 'api_key_roles', owner: string, id: string): string {
  return `(
    SELECT json_group_array(json_object('uuid', uuid, 'key', key, 'label', label))
    FROM (
      SELECT r.uuid, r.key, r.label
      FROM ${members} AS m CROSS JOIN roles AS r ON r.key = m.role_key
      WHERE m.${owner} = ${id} ORDER BY m.role_key
    )
  )`
}

/** Assigns the role `?2` to the account `?1`. The membership row repeats the account columns that searches need. */
export const JOIN_ROLE = `
  INSERT INTO memberships (account_id, role_key, email, disabled)
  SELECT id, ?2, email, disabled_at IS NOT NULL FROM accounts WHERE id = ?1
  ON CONFLICT DO NOTHING`

/** Columns of an account for queries with the table alias `a`. */
export const ACCOUNT_COLUMNS = accountColumns(rolesOf('memberships', 'account_id', 'a.id'))

/** Columns for queries that read accounts in email order; the memberships of an account are adjacent in that order, too. */
export const ACCOUNT_COLUMNS_BY_EMAIL = accountColumns(rolesOf('memberships', 'email', 'a.email'))
