import type { CopyableRecords, RecordKind, RecordOf } from '../../ports/copyable-records.js'
import type { Database } from './database.js'
import { isContradiction } from './errors.js'
import {
  apiKeyTable,
  counterRead,
  createStoredRecords,
  inTable,
  keyColumns,
  keyOf,
  MEMBERSHIPS,
  parsePasskeys,
  PASSKEYS,
  SHARED_TABLES,
  type RecordTable,
} from '../sql/copyable-records.js'
import { columnOf, upsert, ACCOUNT, PASSKEY } from '../sql/records.js'
import type { Row } from '../sql/statements.js'
import type { Statement } from './driver.js'
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

type RecordWrites<Kind extends RecordKind> = Readonly<
  Record<'put' | 'remove', (record: RecordOf[Kind]) => void>
>

/** Prepares each statement when it first runs, because few processes copy a store. */
function onFirstUse(prepare: Database['prepare']): Database['prepare'] {
  return <R extends Row>(sql: string) => {
    let prepared: Statement<R> | undefined
    const statement = () => (prepared ??= prepare<R>(sql))
    return {
      run: (...values) => statement().run(...values),
      get: (...values) => statement().get(...values),
      all: (...values) => statement().all(...values),
    }
  }
}

/** Creates the functions that write one record of each kind. */
export function createRecordWrites(prepare: Database['prepare']) {
  const lazily = onFirstUse(prepare)
  const records = Object.entries(RECORD_TABLES).map(([kind, table]) => [
    kind,
    recordWrites(table as RecordTable<RecordKind>, lazily),
  ])
  return { ...Object.fromEntries(records), counter: counterWrites(lazily) } as {
    readonly [Kind in RecordKind]: RecordWrites<Kind>
  }
}

function recordWrites<Kind extends RecordKind>(
  record: RecordTable<Kind>,
  prepare: Database['prepare'],
): RecordWrites<Kind> {
  const { table, columns, values } = record.main
  const keys = keyColumns(record)
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
    put: (one) => {
      put.run(...values(one))
      for (const { clear, insert, rows } of dependent) {
        clear.run(...keyOf(record, one))
        for (const row of rows(one)) insert.run(...row)
      }
    },
    remove: (one) => void remove.run(...keyOf(record, one)),
  }
}

/** SQLite stores each counter under the name of its table. */
const COUNTERS = `(
  SELECT CASE name WHEN 'api_keys' THEN 'apiKeys' ELSE name END AS name, seq AS last FROM sqlite_sequence
  WHERE name IN ('accounts', 'api_keys', 'pets', 'projects') AND seq > 0
)`

function counterWrites(prepare: Database['prepare']): RecordWrites<'counter'> {
  const begin = prepare(
    'INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)',
  )
  const raise = prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
  const remove = prepare('DELETE FROM sqlite_sequence WHERE name = ?')
  return {
    put: ({ name, last }) => {
      begin.run(columnOf(name))
      raise.run(last, columnOf(name))
    },
    remove: ({ name }) => void remove.run(columnOf(name)),
  }
}

/** Reads and writes the records of every kind. */
export function createCopyableRecords(database: Database): CopyableRecords {
  const { prepare, read, write } = database
  const writes = createRecordWrites(prepare)
  // The value of `data_version` does not change when this connection writes.
  const commits = prepare<readonly [number]>('PRAGMA data_version')
  const changes = prepare<readonly [number]>('SELECT total_changes()')

  return {
    ...createStoredRecords(statementsOf({ ...database, prepare: onFirstUse(prepare) }), {
      ...RECORD_TABLES,
      counter: counterRead(COUNTERS),
    }),
    changeToken: () => read(() => `${commits.get()?.[0] ?? 0} ${changes.get()?.[0] ?? 0}`),
    put: (kind, records) =>
      write(() => records.forEach(writes[kind].put)).then(
        () => 'put',
        (error: unknown) => {
          if (isContradiction(error)) return 'contradicted'
          throw error
        },
      ),
    remove: (kind, records) => write(() => records.forEach(writes[kind].remove)),
  }
}
