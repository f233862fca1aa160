import type { CopyableRecords, CounterName, RecordKind, RecordOf } from '../../ports/copyable-records.js'
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
import { columnOf, upsert, PASSKEY, ACCOUNT } from '../sql/records.js'
import type { Database } from './database.js'
import { isContradiction } from './errors.js'
import { asJson, inJson, type PostgresStatements, ACCOUNT_COLUMNS } from './statements.js'
import { API_KEY_COLUMNS } from './api-keys.js'
import { accountOf } from '../sql/accounts.js'

type Factor = NonNullable<RecordOf['account']['factor']>

const PASSKEYS_OF = `(
  SELECT CAST(coalesce(json_agg(json_build_array(${PASSKEY.list}) ORDER BY p.created_at, p.id), '[]') AS text)
  FROM {passkeys} AS p WHERE p.account_id = a.id
)`

const account = inTable<'account', unknown>(
  '{accounts}',
  {
    columns: [...ACCOUNT.columns, 'sealed_secret', 'begun_at', 'last_step', 'recovery'],
    values: ({ factor, roles: _, passkeys: __, ...own }) => {
      const { activeSince: secondFactor, sealedSecret = null, begunAt = null, lastStep = null } = factor ?? {}
      return [
        ...ACCOUNT.values({ ...own, ...(secondFactor !== undefined && { secondFactor }) }),
        ...[sealedSecret, begunAt, lastStep, factor?.recovery ?? null],
      ]
    },
  },
  {
    from: '{accounts} AS a',
    columns: `${ACCOUNT_COLUMNS},
      a.sealed_secret, a.begun_at, a.last_step, CAST(coalesce(a.recovery, '[]') AS text), ${PASSKEYS_OF}`,
    read: (row) => {
      const { roles, secondFactor, ...own } = accountOf(row)
      const [sealedSecret, begunAt, lastStep, recovery, passkeys] = row.slice(-5)
      const factor = {
        ...{ sealedSecret, begunAt },
        ...(secondFactor !== undefined && { activeSince: secondFactor }),
        ...(lastStep !== null && { lastStep }),
        recovery: JSON.parse(String(recovery)) as unknown,
      } as Factor
      return {
        ...own,
        roles: roles.map(({ key }) => key),
        ...(sealedSecret !== null && { factor }),
        ...parsePasskeys(passkeys),
      }
    },
    dependent: [MEMBERSHIPS, PASSKEYS],
  },
)

const RECORD_TABLES: {
  readonly [Kind in Exclude<RecordKind, 'counter'>]: RecordTable<Kind, unknown>
} = {
  ...SHARED_TABLES,
  account,
  apiKey: apiKeyTable(API_KEY_COLUMNS),
}

type RecordWrites<Kind extends RecordKind> = Readonly<
  Record<'put' | 'remove', (records: readonly RecordOf[Kind][]) => Promise<unknown>>
>

/** Reads and writes the records of every kind; PostgreSQL stores the counters as sequences. */
export function createCopyableRecords(database: Database): CopyableRecords {
  const { statements } = database
  const writes = <Kind extends RecordKind>(kind: Kind) => {
    const made: unknown =
      kind === 'counter' ? counterWrites(statements) : recordWrites(RECORD_TABLES[kind as 'role'], database)
    return made as RecordWrites<Kind>
  }
  return {
    ...createStoredRecords(statements, { ...RECORD_TABLES, counter: counterRead(COUNTERS) }),
    changeToken: prepareChangeToken(statements),
    put: async (kind, records) => {
      try {
        await writes(kind).put(records)
        return 'put'
      } catch (error) {
        if (isContradiction(error)) return 'contradicted'
        throw error
      }
    },
    remove: async (kind, records) => {
      await writes(kind).remove(records)
    },
  }
}

/** Each statement of `put` and `remove` handles all records, and receives them as one JSON parameter. */
function recordWrites<Kind extends RecordKind>(
  record: RecordTable<Kind, unknown>,
  { statements, transaction }: Database,
): RecordWrites<Kind> {
  const { main, dependent } = record
  const keys = keyColumns(record)
  const ownKey = (one: RecordOf[Kind]) => keyOf(record, one)
  const put = upsert(main.table, main.columns, keys, rowsOf(main.table, main.columns))
  const remove = `DELETE FROM ${main.table} WHERE (${keys.join(', ')}) IN (${rowsOf(main.table, keys)})`
  return {
    put: (records) =>
      transaction(async (query) => {
        await query(put, asJson(main.columns, records.map(main.values)))
        for (const { table, columns, rows } of dependent) {
          const owner = columns.slice(0, 1)
          const owners = asJson(owner, records.map(ownKey))
          await query(`DELETE FROM ${table} WHERE ${owner.join()} IN (${rowsOf(table, owner)})`, owners)
          const values = asJson(columns, records.flatMap(rows))
          await query(`INSERT INTO ${table} (${columns.join(', ')}) ${rowsOf(table, columns)}`, values)
        }
      }),
    remove: (records) => statements.write(remove).run(asJson(keys, records.map(ownKey))),
  }
}

function rowsOf(table: string, columns: readonly string[]): string {
  return `SELECT ${columns.join(', ')} FROM ${inJson(table)}`
}

const COUNTER_NAMES: readonly CounterName[] = ['accounts', 'apiKeys', 'pets', 'projects']

/** Each counter is the sequence of an ID column. */
const sequenceOf = (name: CounterName) => `{${columnOf(name)}_id_seq}`

const COUNTERS = `(${COUNTER_NAMES.map(
  (name) => `SELECT '${name}' AS name, last_value AS last FROM ${sequenceOf(name)} WHERE is_called`,
).join(' UNION ALL ')}) AS counters`

/** Dollar quotes allow every character in the schema name. */
function counterWrites(statements: PostgresStatements): RecordWrites<'counter'> {
  const set = (name: CounterName, rest: string) =>
    statements.write(`SELECT setval($name$${sequenceOf(name)}$name$, ${rest}`)
  return {
    put: async (records) => {
      for (const { name, last } of records)
        await set(name, `?1) FROM ${sequenceOf(name)} WHERE NOT is_called OR last_value < ?1`).run(last)
    },
    remove: async (records) => {
      for (const { name } of records) await set(name, '1, false)').run()
    },
  }
}

const WATCHED = [
  ...['accounts', 'roles', 'memberships', 'sessions', 'proofs', 'revocations', 'pets', 'idempotency_keys'],
  ...['passkeys', 'api_keys', 'api_key_roles', 'projects', 'mail_jobs', 'audit_records'],
]

/**
 * Compares the row count and the sum of the transaction IDs (`xmin`) of each table, because the server's own transaction ID also counts
 * writes by other programs. Transaction IDs increase, so a change goes unnoticed only if a row was both added and removed between two
 * calls. Skips reading the tables if no transaction on the server has ended since the last call.
 */
function prepareChangeToken({ read }: PostgresStatements): CopyableRecords['changeToken'] {
  const snapshot = read<readonly [string]>('SELECT CAST(pg_current_snapshot() AS text)')
  const sums = WATCHED.map(
    (table) => `(SELECT CAST((count(*), sum(CAST(CAST(xmin AS text) AS bigint))) AS text) FROM {${table}})`,
  )
  const contents = read<readonly string[]>(
    `SELECT CAST(pg_current_snapshot() AS text), concat(${sums.join(', ')})`,
  )
  let last: readonly string[] = []
  let changes = 0
  return async () => {
    const [now] = (await snapshot.get()) ?? []
    if (now === last[0]) return String(changes)
    const next = (await contents.get()) ?? []
    if (next[1] !== last[1]) changes += 1
    last = next
    return String(changes)
  }
}
