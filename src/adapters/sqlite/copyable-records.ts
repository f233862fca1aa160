import {
  RECORD_KINDS,
  type CounterName,
  type RecordKind,
  type RecordOf,
  type CopyableRecords,
} from '../../ports/copyable-records.js'
import type { Database } from './database.js'
import { isContradiction } from './errors.js'
import {
  createCopyMarks,
  keyColumns,
  recordQueries,
  type RecordTable,
  apiKeyTable,
  inTable,
  MEMBERSHIPS,
  parsePasskeys,
  PASSKEYS,
  SHARED_TABLES,
} from '../sql/copyable-records.js'
import { columnOf, upsert, ACCOUNT, PASSKEY } from '../sql/records.js'
import type { Value } from '../sql/statements.js'
import { statementsOf, ACCOUNT_COLUMNS } from './statements.js'
import type { StoredSecondFactor } from '../../domain/identity/second-factor.js'
import { API_KEY_COLUMNS } from './api-keys.js'
import { accountOf } from '../sql/accounts.js'

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

const PASSKEYS_OF = `(
  SELECT json_group_array(json_array(${PASSKEY.list}))
  FROM (SELECT * FROM passkeys AS p WHERE p.account_id = a.id ORDER BY created_at, id)
)`

const account = inTable<'account'>(
  'accounts',
  {
    columns: ACCOUNT.columns,
    values: ({ factor: { activeSince: secondFactor } = {}, roles: _, passkeys: __, ...own }) =>
      ACCOUNT.values({ ...own, ...(secondFactor !== undefined && { secondFactor }) }),
  },
  {
    from: 'accounts AS a',
    columns: `${ACCOUNT_COLUMNS}, ${FACTOR}, ${PASSKEYS_OF}`,
    read: (row) => {
      const { roles, secondFactor: _, ...own } = accountOf(row)
      const factor = JSON.parse(String(row.at(-2))) as Readonly<Record<string, unknown>> | null
      return {
        ...own,
        roles: roles.map(({ key }) => key),
        ...(factor && { factor: withoutNulls(factor) as StoredSecondFactor }),
        ...parsePasskeys(row.at(-1)),
      }
    },
    dependent: [
      {
        table: 'second_factors',
        columns: ['account_id', 'sealed_secret', 'begun_at', 'active_since', 'last_step'],
        rows: ({ id, factor }) =>
          factor
            ? [[id, factor.sealedSecret, factor.begunAt, factor.activeSince ?? null, factor.lastStep ?? null]]
            : [],
      },
      {
        table: 'recovery_codes',
        columns: ['account_id', 'digest'],
        rows: ({ id, factor }) => (factor?.recovery ?? []).map((digest) => [id, digest]),
      },
      MEMBERSHIPS,
      PASSKEYS,
    ],
  },
)

function withoutNulls(record: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

const RECORD_TABLES: { readonly [Kind in Exclude<RecordKind, 'counter'>]: RecordTable<Kind> } = {
  ...SHARED_TABLES,
  account,
  apiKey: apiKeyTable(API_KEY_COLUMNS),
}

type RecordAccess<Kind extends RecordKind> = {
  readonly count: () => number
  readonly page: (after: RecordOf[Kind] | undefined, limit: number) => readonly RecordOf[Kind][]
  readonly put: (record: RecordOf[Kind]) => void
  readonly remove: (record: RecordOf[Kind]) => void
}

type RecordTables = <Kind extends RecordKind>(kind: Kind) => RecordAccess<Kind>

/** Prepares the statements of a record kind on first use, because few processes copy a store. */
export function createRecordTables(prepare: Database['prepare']): RecordTables {
  const made = new Map<RecordKind, unknown>()
  return <Kind extends RecordKind>(kind: Kind) => {
    const known =
      made.get(kind) ??
      (kind === 'counter' ? counters(prepare) : accessTo(RECORD_TABLES[kind as 'role'], prepare))
    made.set(kind, known)
    return known as RecordAccess<Kind>
  }
}

type Reading<Kind extends RecordKind> = Pick<RecordTable<Kind>, 'from' | 'columns' | 'key' | 'read'>

function reading<Kind extends RecordKind>(table: Reading<Kind>, prepare: Database['prepare']) {
  const { key, read } = table
  const queries = recordQueries(table)
  const count = prepare<readonly [number]>(queries.count)
  const [first, next] = [prepare(queries.first), prepare(queries.next)]
  const keyOf = (record: RecordOf[Kind]) => key.map((member) => record[member] as Value)
  return {
    keyOf,
    count: () => count.get()?.[0] ?? 0,
    page: (after: RecordOf[Kind] | undefined, limit: number) =>
      (after === undefined ? first.all(limit) : next.all(...keyOf(after), limit)).map(read),
  }
}

function accessTo<Kind extends Exclude<RecordKind, 'counter'>>(
  record: RecordTable<Kind>,
  prepare: Database['prepare'],
): RecordAccess<Kind> {
  const { table, columns, values } = record.main
  const keys = keyColumns(record.key)
  const { keyOf, ...reads } = reading(record, prepare)
  const put = prepare(upsert(table, columns, keys))
  const remove = prepare(`DELETE FROM ${table} WHERE ${keys.map((one) => `${one} = ?`).join(' AND ')}`)
  const dependent = record.dependent.map((one) => ({
    ...one,
    clear: prepare(`DELETE FROM ${one.table} WHERE ${one.columns[0] ?? ''} = ?`),
    insert: prepare(
      `INSERT INTO ${one.table} (${one.columns.join(', ')}) VALUES (${one.columns.map(() => '?').join(', ')})`,
    ),
  }))
  return {
    ...reads,
    put: (one) => {
      put.run(...values(one))
      for (const { clear, insert, rows } of dependent) {
        clear.run(...keyOf(one))
        for (const row of rows(one)) insert.run(...row)
      }
    },
    remove: (one) => void remove.run(...keyOf(one)),
  }
}

/** SQLite stores each counter under the name of its table. */
function counters(prepare: Database['prepare']): RecordAccess<'counter'> {
  const { keyOf: _, ...reads } = reading<'counter'>(
    {
      from: `(
        SELECT CASE name WHEN 'api_keys' THEN 'apiKeys' ELSE name END AS name, seq FROM sqlite_sequence
        WHERE name IN ('accounts', 'api_keys', 'pets', 'projects') AND seq > 0
      )`,
      columns: 'name, seq',
      key: ['name'],
      read: ([name, last]) => ({ name: name as CounterName, last: Number(last) }),
    },
    prepare,
  )
  const begin = prepare(
    'INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)',
  )
  const raise = prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
  const remove = prepare('DELETE FROM sqlite_sequence WHERE name = ?')
  return {
    ...reads,
    put: ({ name, last }) => {
      begin.run(columnOf(name))
      raise.run(last, columnOf(name))
    },
    remove: ({ name }) => void remove.run(columnOf(name)),
  }
}

export function createCopyableRecords(database: Database): CopyableRecords {
  const { prepare, read, write } = database
  const tables = createRecordTables(prepare)
  // The value of `data_version` does not change when this connection writes.
  const commits = prepare<readonly [number]>('PRAGMA data_version')
  const changes = prepare<readonly [number]>('SELECT total_changes()')

  function isEmpty(): boolean {
    return RECORD_KINDS.every((kind) => tables(kind).count() === 0)
  }

  return {
    ...createCopyMarks(statementsOf(database), () => read(isEmpty)),
    changeToken: () => read(() => `${commits.get()?.[0] ?? 0} ${changes.get()?.[0] ?? 0}`),
    count: (kind) => read(() => tables(kind).count()),
    page: (kind, after, limit) => read(() => tables(kind).page(after, limit)),
    put: (kind, records) =>
      write(() => records.forEach(tables(kind).put)).then(
        () => 'put',
        (error: unknown) => {
          if (isContradiction(error)) return 'contradicted'
          throw error
        },
      ),
    remove: (kind, records) => write(() => records.forEach(tables(kind).remove)),
  }
}
