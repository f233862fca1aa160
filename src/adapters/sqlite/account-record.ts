import type { StoredSecondFactor } from '../../domain/identity/second-factor.js'
import type { RecordOf } from '../../ports/records.js'
import { upsert, type RecordTable } from './record-table.js'
import { ACCOUNT_COLUMNS, accountOf, JOIN_ROLE, type AccountRow } from './rows.js'

type AccountRecordRow = readonly [...account: AccountRow, resets: string, factor: string | null]

/** Written in the order of the numbers, which are the table's own. */
const RESETS = `(
    SELECT json_group_array(json_object('digest', digest, 'until', until, 'mailJobId', mail_job_id, 'epoch', epoch))
    FROM (SELECT * FROM reset_offers WHERE account_id = a.id ORDER BY number)
  )`

const FACTOR = `(
    SELECT json_object(
      'sealedSecret', sealed_secret, 'begunAt', begun_at, 'activeSince', active_since, 'lastStep', last_step,
      'recovery', json((
        SELECT json_group_array(digest)
        FROM (SELECT digest FROM recovery_codes AS r WHERE r.account_id = f.account_id ORDER BY digest)
      ))
    )
    FROM second_factors AS f WHERE f.account_id = a.id
  )`

/** An account with its memberships, its reset tokens and its second factor. */
export const account: RecordTable<'account'> = {
  source: 'accounts AS a',
  columns: `${ACCOUNT_COLUMNS}, ${RESETS}, ${FACTOR}`,
  key: ['a.id'],
  keyOf: ({ id }) => [id],
  read: (row) => {
    const { roles, secondFactor: _, ...rest } = accountOf(row as unknown as AccountRow)
    const held = row as unknown as AccountRecordRow
    return { ...rest, roles: roles.map((one) => one.key), ...resetsOf(held), ...factorOf(held) }
  },
  remove: 'DELETE FROM accounts WHERE id = ?',
  put: [
    {
      sql: upsert(
        'accounts',
        [
          ...['id', 'email', 'password_hash', 'epoch', 'disabled_at', 'created_at', 'second_factor'],
          ...['entered_email', 'shared_email'],
        ],
        ['id'],
      ),
      values: ({ id, email, passwordHash, epoch, disabledAt, createdAt, factor, ...other }) => [
        [
          ...[id, email, passwordHash ?? null, epoch, disabledAt ?? null, createdAt],
          factor?.activeSince === undefined ? null : 1,
          ...[other.enteredEmail ?? null, other.sharedEmail ?? null],
        ],
      ],
    },
    { sql: 'DELETE FROM second_factors WHERE account_id = ?', values: ({ id }) => [[id]] },
    {
      sql: 'INSERT INTO second_factors (account_id, sealed_secret, begun_at, active_since, last_step) VALUES (?, ?, ?, ?, ?)',
      values: ({ id, factor }) =>
        factor
          ? [[id, factor.sealedSecret, factor.begunAt, factor.activeSince ?? null, factor.lastStep ?? null]]
          : [],
    },
    {
      sql: 'INSERT INTO recovery_codes (account_id, digest) VALUES (?, ?)',
      values: ({ id, factor }) => (factor?.recovery ?? []).map((digest) => [id, digest]),
    },
    { sql: 'DELETE FROM reset_offers WHERE account_id = ?', values: ({ id }) => [[id]] },
    {
      sql: 'INSERT INTO reset_offers (account_id, mail_job_id, digest, until, epoch) VALUES (?, ?, ?, ?, ?)',
      values: ({ id, resets = [] }) =>
        resets.map(({ mailJobId, digest, until, epoch }) => [id, mailJobId, digest, until, epoch]),
    },
    { sql: 'DELETE FROM memberships WHERE account_id = ?', values: ({ id }) => [[id]] },
    {
      sql: JOIN_ROLE,
      values: ({ id, roles }) => roles.map((key) => [id, key]),
    },
  ],
}

function resetsOf(row: AccountRecordRow): Pick<RecordOf['account'], 'resets'> {
  const resets = JSON.parse(row[10]) as NonNullable<RecordOf['account']['resets']>
  return resets.length > 0 ? { resets } : {}
}

function factorOf(row: AccountRecordRow): Pick<RecordOf['account'], 'factor'> {
  if (row[11] === null) return {}
  const columns = Object.entries(JSON.parse(row[11]) as Readonly<Record<string, unknown>>)
  const factor = Object.fromEntries(columns.filter(([, value]) => value !== null))
  return { factor: factor as StoredSecondFactor }
}
