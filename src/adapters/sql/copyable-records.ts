import {
  RECORD_KINDS,
  type CounterName,
  type CopyableRecords,
  type RecordKind,
  type RecordOf,
} from '../../ports/copyable-records.js'
import {
  API_KEY,
  AUDIT_RECORD,
  IDEMPOTENCY_KEY,
  LOGIN,
  MAIL_JOB,
  PASSKEY,
  PET,
  PROJECT,
  PROOF,
  QUEUED_MAIL,
  ROLE,
  columnOf,
  parseRoles,
  upsert,
} from './records.js'
import { SESSION_COLUMNS, sessionOf, sessionValues, STORED_COLUMNS } from './sessions.js'
import type { Row, Value, Statements } from './statements.js'
import { randomUUID } from 'node:crypto'

/** Describes how the records of one kind are read. */
type RecordRead<Kind extends RecordKind> = {
  readonly from: string
  readonly columns: string
  readonly read: (row: Row) => RecordOf[Kind]
  readonly key: readonly (keyof RecordOf[Kind] & string)[]
}

/** Describes how tables store the records of one kind. */
export type RecordTable<Kind extends RecordKind, V = Value> = RecordRead<Kind> & {
  /** The table with one row per record. Removing a row from this table also removes the dependent rows. */
  readonly main: RecordRows<Kind, V>
  /** Tables with rows that depend on a record; the first column refers to the record's ID. */
  readonly dependent: readonly DependentRows<Kind>[]
}

type RecordRows<Kind extends RecordKind, V> = {
  readonly table: string
  readonly columns: readonly string[]
  readonly values: (record: RecordOf[Kind]) => readonly V[]
}

export type DependentRows<Kind extends RecordKind> = {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: (record: RecordOf[Kind]) => readonly (readonly Value[])[]
}

export function inTable<Kind extends RecordKind, V = Value>(
  table: string,
  { columns, values }: Omit<RecordRows<Kind, V>, 'table'>,
  reading: Pick<RecordTable<Kind>, 'read'> & Partial<Omit<RecordTable<Kind>, 'main'>>,
): RecordTable<Kind, V> {
  return {
    from: table,
    columns: columns.join(', '),
    key: ['id' as keyof RecordOf[Kind] & string],
    dependent: [],
    ...reading,
    main: { table, columns, values },
  }
}

/** An account's memberships repeat the account columns that searches need. */
export const MEMBERSHIPS: DependentRows<'account'> = {
  table: '{memberships}',
  columns: ['account_id', 'role_key', 'email', 'disabled'],
  rows: ({ id, email, disabledAt, roles }) =>
    roles.map((key) => [id, key, email, disabledAt === undefined ? 0 : 1]),
}

export const PASSKEYS: DependentRows<'account'> = {
  table: '{passkeys}',
  columns: PASSKEY.columns,
  rows: ({ id, passkeys = [] }) => passkeys.map((one) => PASSKEY.values({ ...one, accountId: id })),
}

export function parsePasskeys(json: Value | undefined): Pick<RecordOf['account'], 'passkeys'> {
  const passkeys = (JSON.parse(String(json)) as readonly Row[]).map((row) => {
    const { accountId: _, ...passkey } = PASSKEY.read(row)
    return passkey
  })
  return passkeys.length > 0 ? { passkeys } : {}
}

/** `columns` is the result of `apiKeyColumns`. */
export function apiKeyTable(columns: string): RecordTable<'apiKey'> {
  return inTable('{api_keys}', API_KEY, {
    from: '{api_keys} AS k',
    columns,
    read: (row) => ({ ...API_KEY.read(row), roles: parseRoles(row.at(-1)).map(({ key }) => key) }),
    dependent: [
      {
        table: '{api_key_roles}',
        columns: ['api_key_id', 'role_key'],
        rows: ({ id, roles }) => roles.map((key) => [id, key]),
      },
    ],
  })
}

/** The record kinds that all databases store in the same tables. */
export const SHARED_TABLES = {
  role: inTable<'role'>('{roles}', ROLE, { read: ROLE.read, key: ['key'] }),
  session: inTable<'session'>(
    '{sessions}',
    { columns: STORED_COLUMNS, values: sessionValues },
    { from: '{sessions} AS s', columns: SESSION_COLUMNS, read: sessionOf },
  ),
  proof: inTable<'proof'>('{proofs}', PROOF, { read: PROOF.read }),
  revocation: inTable<'revocation'>('{revocations}', LOGIN, { read: LOGIN.read, key: ['sessionId'] }),
  pet: inTable<'pet'>('{pets}', PET, { read: PET.read }),
  idempotencyKey: inTable<'idempotencyKey'>('{idempotency_keys}', IDEMPOTENCY_KEY, {
    read: IDEMPOTENCY_KEY.read,
    key: ['scope', 'key'],
  }),
  project: inTable<'project'>('{projects}', PROJECT, { read: PROJECT.read }),
  mailJob: inTable<'mailJob'>('{mail_jobs}', QUEUED_MAIL, { columns: MAIL_JOB.list, read: MAIL_JOB.read }),
  auditRecord: inTable<'auditRecord'>('{audit_records}', AUDIT_RECORD, { read: AUDIT_RECORD.read }),
}

/** How to read the counters. `from` selects the name of each used counter and the last ID it assigned. */
export function counterRead(from: string): RecordRead<'counter'> {
  return {
    from,
    columns: 'name, last',
    key: ['name'],
    read: ([name, last]) => ({ name: name as CounterName, last: Number(last) }),
  }
}

type KeyedBy<Kind extends RecordKind> = Pick<RecordRead<Kind>, 'key'>

export function keyColumns({ key }: { readonly key: readonly string[] }): readonly string[] {
  return key.map(columnOf)
}

export function keyOf<Kind extends RecordKind>({ key }: KeyedBy<Kind>, record: RecordOf[Kind]): Value[] {
  return key.map((member) => record[member] as Value)
}

function prepareReads<Kind extends RecordKind>(one: RecordRead<Kind>, { read }: Statements) {
  const keys = keyColumns(one)
  const select = (beyond: string) =>
    read(`SELECT ${one.columns} FROM ${one.from} ${beyond} ORDER BY ${keys.join(', ')} LIMIT ?`)
  const count = read<readonly [number]>(`SELECT count(*) FROM ${one.from}`)
  const first = select('')
  const next = select(`WHERE (${keys.join(', ')}) > (${keys.map(() => '?').join(', ')})`)
  return {
    count: async () => (await count.get())?.[0] ?? 0,
    page: async (after: RecordOf[Kind] | undefined, limit: number) => {
      const rows = after === undefined ? first.all(limit) : next.all(...keyOf(one, after), limit)
      return (await rows).map(one.read)
    },
  }
}

/** The calls of `CopyableRecords` that are the same in all databases. */
export function createStoredRecords(
  statements: Statements,
  tables: { readonly [Kind in RecordKind]: RecordRead<Kind> },
): Omit<CopyableRecords, 'changeToken' | 'put' | 'remove'> {
  const prepared = RECORD_KINDS.map((kind): [RecordKind, unknown] => [
    kind,
    prepareReads(tables[kind as 'role'], statements),
  ])
  const reads = Object.fromEntries(prepared) as {
    readonly [Kind in RecordKind]: ReturnType<typeof prepareReads<Kind>>
  }

  async function isEmpty(): Promise<boolean> {
    const firsts = await Promise.all(RECORD_KINDS.map((kind) => reads[kind].page(undefined, 1)))
    return firsts.every((page) => page.length === 0)
  }

  return {
    ...createCopyMarks(statements, isEmpty),
    count: (kind) => reads[kind].count(),
    page: (kind, after, limit) => reads[kind].page(after, limit),
  }
}

const IDENTITY = 'identity'
const COPY = 'copy'

type Mark = { readonly source: string; readonly complete: boolean }

/** The table `meta` contains the store's identity and the copy marker. */
function createCopyMarks(
  { read, write }: Statements,
  isEmpty: () => Promise<boolean>,
): Pick<CopyableRecords, 'identity' | 'claim' | 'complete'> {
  const meta = read<readonly [string]>('SELECT value FROM {meta} WHERE key = ?')
  const setOnce = write('INSERT INTO {meta} (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const set = write(upsert('{meta}', ['key', 'value'], ['key']))

  async function identity(): Promise<string> {
    const known = await meta.get(IDENTITY)
    if (known) return known[0]
    await setOnce.run(IDENTITY, randomUUID())
    return (await meta.get(IDENTITY))?.[0] ?? ''
  }

  return {
    identity,
    /** Inserts the marker in one statement, so that two concurrent copies cannot both begin. */
    claim: async (source) => {
      if (source === (await identity())) return 'same'
      const mark: Mark = { source, complete: false }
      const mayBegin = (await meta.get(COPY)) !== undefined || (await isEmpty())
      if (!mayBegin) return 'occupied'
      if ((await setOnce.run(COPY, JSON.stringify(mark))) === 1) return 'begun'
      const before = JSON.parse((await meta.get(COPY))?.[0] ?? '{}') as Partial<Mark>
      if (before.source !== source) return 'occupied'
      return before.complete === true ? 'complete' : 'resumed'
    },
    complete: async (source) => {
      const mark: Mark = { source, complete: true }
      await set.run(COPY, JSON.stringify(mark))
    },
  }
}
