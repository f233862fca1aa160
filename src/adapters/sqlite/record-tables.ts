import type { StoredSecondFactor } from '../../domain/identity/second-factor.js'
import type { CounterName, RecordKind, RecordOf } from '../../ports/copyable-records.js'
import {
  API_KEY,
  AUDIT_RECORD,
  IDEMPOTENCY_KEY,
  LOGIN,
  MAIL_JOB,
  PET,
  PROJECT,
  PROOF,
  QUEUED_MAIL,
  ROLE,
} from '../sql/records.js'
import { ACCOUNT, columnOf, parseRoles, upsert } from '../sql/rows.js'
import type { Row, Value } from '../sql/statements.js'
import { API_KEY_COLUMNS } from './api-keys.js'
import { ACCOUNT_COLUMNS, accountOf, JOIN_ROLE } from './rows.js'
import { SESSION_COLUMNS, sessionOf, sessionValues, STORED_COLUMNS } from '../sql/session-rows.js'

/** Describes how tables store the records of one kind. */
export type RecordTable<Kind extends RecordKind> = {
  readonly from: string
  readonly columns: string
  readonly read: (row: Row) => RecordOf[Kind]
  readonly key: readonly (keyof RecordOf[Kind] & string)[]
  /** Deletes the record with the given key values and all dependent rows. */
  readonly remove: string
  /** Statements to run in this order, each once for every row of values. */
  readonly put: readonly Step<Kind>[]
}

type Step<Kind extends RecordKind> = readonly [
  sql: string,
  rows: (record: RecordOf[Kind]) => readonly (readonly Value[])[],
]

type InsertColumns<Kind extends RecordKind> = {
  readonly columns: readonly string[]
  readonly values: (record: RecordOf[Kind]) => readonly Value[]
}

/** Describes a kind whose records are rows of one table; `more` contains additional steps of `put`. */
function inTable<Kind extends RecordKind>(
  table: string,
  { columns, values }: InsertColumns<Kind>,
  reading: Pick<RecordTable<Kind>, 'read'> & Partial<RecordTable<Kind>>,
  more: readonly Step<Kind>[] = [],
): RecordTable<Kind> {
  const { key = ['id' as keyof RecordOf[Kind] & string] } = reading
  const keys = key.map(columnOf)
  return {
    from: table,
    columns: columns.join(', '),
    key,
    remove: `DELETE FROM ${table} WHERE ${keys.map((one) => `${one} = ?`).join(' AND ')}`,
    ...reading,
    put: [[upsert(table, columns, keys), (record) => [values(record)]], ...more],
  }
}

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

const account = inTable<'account'>(
  'accounts',
  {
    columns: ACCOUNT.columns,
    values: ({ factor: { activeSince: secondFactor } = {}, roles: _, resets: __, ...own }) =>
      ACCOUNT.values({ ...own, ...(secondFactor !== undefined && { secondFactor }) }),
  },
  {
    from: 'accounts AS a',
    columns: `${ACCOUNT_COLUMNS}, ${RESETS}, ${FACTOR}`,
    read: (row) => {
      const { roles, secondFactor: _, ...own } = accountOf(row)
      const [resetText, factorText] = row.slice(-2)
      const resets = JSON.parse(String(resetText)) as NonNullable<RecordOf['account']['resets']>
      const factor = JSON.parse(String(factorText)) as Readonly<Record<string, unknown>> | null
      return {
        ...own,
        roles: roles.map(({ key }) => key),
        ...(resets.length > 0 && { resets }),
        ...(factor && { factor: withoutNulls(factor) as StoredSecondFactor }),
      }
    },
  },
  [
    ['DELETE FROM second_factors WHERE account_id = ?', ({ id }) => [[id]]],
    [
      'INSERT INTO second_factors (account_id, sealed_secret, begun_at, active_since, last_step) VALUES (?, ?, ?, ?, ?)',
      ({ id, factor }) =>
        factor
          ? [[id, factor.sealedSecret, factor.begunAt, factor.activeSince ?? null, factor.lastStep ?? null]]
          : [],
    ],
    [
      'INSERT INTO recovery_codes (account_id, digest) VALUES (?, ?)',
      ({ id, factor }) => (factor?.recovery ?? []).map((digest) => [id, digest]),
    ],
    ['DELETE FROM reset_offers WHERE account_id = ?', ({ id }) => [[id]]],
    [
      'INSERT INTO reset_offers (account_id, mail_job_id, digest, until, epoch) VALUES (?, ?, ?, ?, ?)',
      ({ id, resets = [] }) => resets.map((one) => [id, one.mailJobId, one.digest, one.until, one.epoch]),
    ],
    ['DELETE FROM memberships WHERE account_id = ?', ({ id }) => [[id]]],
    [JOIN_ROLE, ({ id, roles }) => roles.map((key) => [id, key])],
  ],
)

function withoutNulls(record: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

const apiKey = inTable<'apiKey'>(
  'api_keys',
  API_KEY,
  {
    from: 'api_keys AS k',
    columns: API_KEY_COLUMNS,
    read: (row) => ({ ...API_KEY.read(row), roles: parseRoles(row.at(-1)).map(({ key }) => key) }),
  },
  [
    ['DELETE FROM api_key_roles WHERE api_key_id = ?', ({ id }) => [[id]]],
    [
      'INSERT INTO api_key_roles (api_key_id, role_key) VALUES (?, ?)',
      ({ id, roles }) => roles.map((key) => [id, key]),
    ],
  ],
)

/** SQLite stores each counter under the name of its table. */
const counter: RecordTable<'counter'> = {
  from: `(
    SELECT CASE name WHEN 'api_keys' THEN 'apiKeys' ELSE name END AS name, seq FROM sqlite_sequence
    WHERE name IN ('accounts', 'api_keys', 'pets', 'projects') AND seq > 0
  )`,
  columns: 'name, seq',
  key: ['name'],
  read: ([name, last]) => ({ name: name as CounterName, last: Number(last) }),
  remove: "DELETE FROM sqlite_sequence WHERE name = CASE ?1 WHEN 'apiKeys' THEN 'api_keys' ELSE ?1 END",
  put: [
    [
      'INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)',
      ({ name }) => [[columnOf(name)]],
    ],
    [
      'UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?',
      ({ name, last }) => [[last, columnOf(name)]],
    ],
  ],
}

export const RECORD_TABLES: { readonly [Kind in RecordKind]: RecordTable<Kind> } = {
  role: inTable('roles', ROLE, { read: ROLE.read, key: ['key'] }),
  account,
  session: inTable(
    'sessions',
    { columns: STORED_COLUMNS, values: sessionValues },
    { from: 'sessions AS s', columns: SESSION_COLUMNS, read: sessionOf },
  ),
  proof: inTable('proofs', PROOF, { read: PROOF.read }),
  revocation: inTable('revocations', LOGIN, { read: LOGIN.read, key: ['sessionId'] }),
  pet: inTable('pets', PET, { read: PET.read }),
  idempotencyKey: inTable('idempotency_keys', IDEMPOTENCY_KEY, {
    read: IDEMPOTENCY_KEY.read,
    key: ['scope', 'key'],
  }),
  apiKey,
  project: inTable('projects', PROJECT, { read: PROJECT.read }),
  mailJob: inTable('mail_jobs', QUEUED_MAIL, { columns: MAIL_JOB.list, read: MAIL_JOB.read }),
  auditRecord: inTable('audit_records', AUDIT_RECORD, { read: AUDIT_RECORD.read }),
  counter,
}
