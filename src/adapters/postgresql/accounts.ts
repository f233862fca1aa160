import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { RoleKey } from '../../domain/access/role.js'
import type { AccountInsertion, Accounts } from '../../ports/accounts.js'
import type { Row } from '../sql/statements.js'
import { accountOf, createStoredAccounts } from '../sql/accounts.js'
import {
  ACCOUNT_COLUMNS,
  endingSessions,
  INSERTION,
  INSERTION_COLUMNS,
  type PostgresStatements,
} from './statements.js'

type Changed = readonly [id: AccountId, epoch: Epoch]

/** Stores accounts. Every write is one statement; the lock on the account's row serializes concurrent callers. */
export function createAccounts(statements: PostgresStatements): Accounts {
  const { read, write, attempt } = statements
  const insert = write<InsertionRow>(`
    WITH new AS (
      SELECT CAST(? AS text) AS email, CAST(? AS text) AS entered_email, CAST(? AS text) AS password_hash,
        CAST(? AS bigint) AS created_at, CAST(? AS bigint) AS disabled_at, CAST(? AS text) AS roles
    ), ${INSERTION}
    SELECT ${INSERTION_COLUMNS}`)
  const known = read('SELECT 1 FROM {accounts} WHERE id = ?')
  const changing = (prepare: typeof write, set: string, where: string) =>
    prepare<Changed>(`WITH ${endingSessions({ set, where })} SELECT id, epoch FROM changed`)
  const setPassword = changing(write, 'password_hash = ?', 'id = ?')
  const changePassword = changing(
    write,
    'password_hash = ?',
    'id = ? AND password_hash = ? AND disabled_at IS NULL',
  )
  const changeEmail = changing(
    attempt,
    'email = ?1, entered_email = ?2, shared_email = NULL',
    `a.id = ?3 AND NOT EXISTS (
       SELECT 1 FROM {accounts} AS o WHERE (o.email = ?1 OR o.shared_email = ?1) AND o.id <> ?3
     )`,
  )
  const disable = changing(write, 'disabled_at = ?', 'id = ? AND disabled_at IS NOT DISTINCT FROM ?')
  const enable = changing(write, 'disabled_at = NULL', 'id = ? AND disabled_at = coalesce(?, disabled_at)')
  const remove = write(`
    WITH removed AS (DELETE FROM {accounts} WHERE id = ? AND epoch = coalesce(?, epoch) RETURNING id),
    ended AS (DELETE FROM {sessions} AS s USING removed WHERE s.account_id = removed.id OR s.actor_id = removed.id)
    SELECT id FROM removed`)
  const endLate = write('DELETE FROM {sessions} WHERE account_id = ?1 OR actor_id = ?1')

  return {
    ...createStoredAccounts(statements, {
      columns: ACCOUNT_COLUMNS,
      isListed: 'a.id = ANY (ARRAY(SELECT CAST(json_array_elements_text(CAST(? AS json)) AS bigint)))',
      searches: SEARCHES,
    }),
    insert: async ({
      email,
      enteredEmail = null,
      passwordHash = null,
      createdAt,
      disabledAt = null,
      roles = [],
    }) => {
      const columns = [email, enteredEmail, passwordHash, createdAt, disabledAt, JSON.stringify(roles)]
      return insertionOf(await insert.get(...columns))
    },
    findByEmail: findByEmail(statements),
    setPassword: async (id, hash) => ((await setPassword.get(hash, id)) ? 'set' : 'unknown'),
    changePassword: async ({ id, expected, next }) => (await changePassword.get(next, id, expected))?.[1],
    changeEmail: async ({ id, email, enteredEmail = null }) => {
      if (await changeEmail.get(email, enteredEmail, id)) return 'changed'
      return (await known.get(id)) ? 'email-taken' : 'unknown'
    },
    setDisabled: async (id, at, since) => {
      const expected = [id, since ?? null] as const
      const isDone = await (at === undefined ? enable.get(...expected) : disable.get(at, ...expected))
      if (isDone) return 'set'
      return (await known.get(id)) ? 'unchanged' : 'unknown'
    },
    remove: async (id, epoch) => {
      if (!(await remove.get(id, epoch ?? null))) return 'unknown'
      // `remove` does not see a session that was stored while `remove` waited for the lock on the account.
      await endLate.run(id)
      return 'removed'
    },
  }
}

export type InsertionRow = readonly [id: AccountId | null, missing: RoleKey | null, taken: number]

/** If a concurrent insert of the same email came first, the statement neither finds nor inserts an account. */
export function insertionOf(row: InsertionRow = [null, null, 0]): AccountInsertion {
  const [id, missing, taken] = row
  if (id !== null) return { kind: 'inserted', id }
  return missing === null || taken > 0 ? { kind: 'duplicate-email' } : { kind: 'unknown-role', role: missing }
}

/** The server runs the second inner SELECT only if the first inner SELECT finds no account. */
function findByEmail({ readPrimary }: PostgresStatements): Accounts['findByEmail'] {
  const find = readPrimary(`
    SELECT pg_is_in_recovery(), found.* FROM (SELECT) AS one LEFT JOIN (
      SELECT ${ACCOUNT_COLUMNS} FROM {accounts} AS a WHERE a.email = ?1 AND a.shared_email IS NULL
      UNION ALL
      SELECT ${ACCOUNT_COLUMNS} FROM {accounts} AS a
      WHERE a.shared_email = ?1
        AND (a.email = ?2 OR (SELECT count(*) FROM {accounts} WHERE shared_email = ?1) = 1)
      LIMIT 1
    ) AS found ON true`)
  return async (email, former = email) => {
    const [, ...row] = (await find.get(email, former)) as Row
    return row[0] === null ? undefined : accountOf(row)
  }
}

/** Selects emails from `?1` up to, but not including, `?2` that follow the email `?3`. */
function searchIn(from: string, email: string, condition = ''): string {
  return `
    SELECT ${ACCOUNT_COLUMNS} FROM ${from}
    WHERE ${email} >= ?1 AND (CAST(?2 AS text) IS NULL OR ${email} < ?2) AND ${email} > ?3 ${condition}
    ORDER BY ${email} LIMIT ?4`
}

const MEMBERS = '{memberships} AS m JOIN {accounts} AS a ON a.id = m.account_id'

/** Each search scans one range of one index, because a membership repeats its account's email and state. */
const SEARCHES = {
  all: searchIn('{accounts} AS a', 'a.email'),
  disabled: searchIn('{accounts} AS a', 'a.email', 'AND a.disabled_at IS NOT NULL'),
  members: searchIn(MEMBERS, 'm.email', 'AND m.role_key = ?5'),
  disabledMembers: searchIn(MEMBERS, 'm.email', 'AND m.role_key = ?5 AND m.disabled'),
}
