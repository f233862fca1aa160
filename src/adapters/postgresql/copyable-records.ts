import {
  RECORD_KINDS,
  type CopyableRecords,
  type CounterName,
  type RecordKind,
  type RecordOf,
} from '../../ports/copyable-records.js'
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
import { columnOf, upsert, PASSKEY, ACCOUNT } from '../sql/records.js'
import type { Value } from '../sql/statements.js'
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

type RecordAccess<Kind extends RecordKind> = {
  readonly count: () => Promise<number>
  readonly page: (after: RecordOf[Kind] | undefined, limit: number) => Promise<readonly RecordOf[Kind][]>
  readonly put: (records: readonly RecordOf[Kind][]) => Promise<unknown>
  readonly remove: (records: readonly RecordOf[Kind][]) => Promise<unknown>
}

/** Reads and writes the records of every kind; PostgreSQL stores the counters as sequences. */
export function createCopyableRecords(database: Database): CopyableRecords {
  const tables = <Kind extends RecordKind>(kind: Kind) => {
    const access: unknown =
      kind === 'counter' ? counters(database.statements) : accessTo(RECORD_TABLES[kind as 'role'], database)
    return access as RecordAccess<Kind>
  }

  async function isEmpty(): Promise<boolean> {
    const firsts = await Promise.all(RECORD_KINDS.map((kind) => tables(kind).page(undefined, 1)))
    return firsts.every((page) => page.length === 0)
  }

  return {
    ...createCopyMarks(database.statements, isEmpty),
    changeToken: prepareChangeToken(database.statements),
    count: (kind) => tables(kind).count(),
    page: (kind, after, limit) => tables(kind).page(after, limit),
    put: async (kind, records) => {
      try {
        await tables(kind).put(records)
        return 'put'
      } catch (error) {
        if (isContradiction(error)) return 'contradicted'
        throw error
      }
    },
    remove: async (kind, records) => {
      await tables(kind).remove(records)
    },
  }
}

/** Each statement of `put` and `remove` handles all records, and receives them as one JSON parameter. */
function accessTo<Kind extends RecordKind>(
  record: RecordTable<Kind, unknown>,
  { statements, transaction }: Database,
): RecordAccess<Kind> {
  const { main, dependent } = record
  const { keyOf, ...reads } = reading(record, statements)
  const keys = keyColumns(record.key)
  const keyRows = (records: readonly RecordOf[Kind][]) => asJson(keys, records.map(keyOf))
  const put = upsert(main.table, main.columns, keys, rowsOf(main.table, main.columns))
  const remove = `DELETE FROM ${main.table} WHERE (${keys.join(', ')}) IN (${rowsOf(main.table, keys)})`
  return {
    ...reads,
    put: (records) =>
      transaction(async (query) => {
        await query(put, asJson(main.columns, records.map(main.values)))
        for (const { table, columns, rows } of dependent) {
          const owner = columns.slice(0, 1)
          const owners = asJson(owner, records.map(keyOf))
          await query(`DELETE FROM ${table} WHERE ${owner.join()} IN (${rowsOf(table, owner)})`, owners)
          const values = asJson(columns, records.flatMap(rows))
          await query(`INSERT INTO ${table} (${columns.join(', ')}) ${rowsOf(table, columns)}`, values)
        }
      }),
    remove: (records) => statements.write(remove).run(keyRows(records)),
  }
}

function reading<Kind extends RecordKind>(
  table: Pick<RecordTable<Kind>, 'from' | 'columns' | 'key' | 'read'>,
  { read }: PostgresStatements,
) {
  const { count, first, next } = recordQueries(table)
  const keyOf = (record: RecordOf[Kind]) => table.key.map((member) => record[member] as Value)
  return {
    keyOf,
    count: async () => (await read<readonly [number]>(count).get())?.[0] ?? 0,
    page: async (after: RecordOf[Kind] | undefined, limit: number) => {
      const rows = after === undefined ? read(first).all(limit) : read(next).all(...keyOf(after), limit)
      return (await rows).map(table.read)
    },
  }
}

function rowsOf(table: string, columns: readonly string[]): string {
  return `SELECT ${columns.join(', ')} FROM ${inJson(table)}`
}

const COUNTERS: readonly CounterName[] = ['accounts', 'apiKeys', 'pets', 'projects']

/** Each counter is the sequence of an ID column. Dollar quotes allow every character in the schema name. */
function counters(statements: PostgresStatements): RecordAccess<'counter'> {
  const sequenceOf = (name: CounterName) => `{${columnOf(name)}_id_seq}`
  const used = COUNTERS.map(
    (name) => `SELECT '${name}' AS name, last_value FROM ${sequenceOf(name)} WHERE is_called`,
  )
  const { keyOf: _, ...reads } = reading<'counter'>(
    {
      from: `(${used.join(' UNION ALL ')}) AS counters`,
      columns: 'name, last_value',
      key: ['name'],
      read: ([name, last]) => ({ name: name as CounterName, last: Number(last) }),
    },
    statements,
  )
  const set = (name: CounterName, rest: string) =>
    statements.write(`SELECT setval($name$${sequenceOf(name)}$name$, ${rest}`)
  return {
    ...reads,
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
