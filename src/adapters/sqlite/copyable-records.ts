import { randomUUID } from 'node:crypto'
import {
  RECORD_KINDS,
  type RecordKind,
  type RecordOf,
  type CopyableRecords,
} from '../../ports/copyable-records.js'
import type { Database } from './database.js'
import { isContradiction } from './errors.js'
import { RECORD_TABLES, type RecordTable } from './record-tables.js'
import { columnOf } from '../sql/rows.js'
import type { Value } from '../sql/statements.js'

const IDENTITY = 'identity'
/** Key of the marker that a copy leaves in its target store. */
const COPY = 'copy'

type Mark = { readonly source: string; readonly complete: boolean }

type RecordAccess<Kind extends RecordKind> = {
  readonly count: () => number
  readonly page: (after: RecordOf[Kind] | undefined, limit: number) => readonly RecordOf[Kind][]
  readonly put: (record: RecordOf[Kind]) => void
  readonly remove: (record: RecordOf[Kind]) => void
}

export type RecordTables = <Kind extends RecordKind>(kind: Kind) => RecordAccess<Kind>

/** Prepares the statements of a record kind on first use, because few processes copy a store. */
export function createRecordTables(prepare: Database['prepare']): RecordTables {
  const made = new Map<RecordKind, unknown>()
  return <Kind extends RecordKind>(kind: Kind) => {
    const known = made.get(kind) ?? accessTo<Kind>(RECORD_TABLES[kind], prepare)
    made.set(kind, known)
    return known as RecordAccess<Kind>
  }
}

function accessTo<Kind extends RecordKind>(
  { from, columns, key, read, ...table }: RecordTable<Kind>,
  prepare: Database['prepare'],
): RecordAccess<Kind> {
  const keys = key.map(columnOf).join(', ')
  const order = `ORDER BY ${keys} LIMIT ?`
  const count = prepare<readonly [number]>(`SELECT count(*) FROM ${from}`)
  const first = prepare(`SELECT ${columns} FROM ${from} ${order}`)
  const beyond = `WHERE (${keys}) > (${key.map(() => '?').join(', ')})`
  const next = prepare(`SELECT ${columns} FROM ${from} ${beyond} ${order}`)
  const remove = prepare(table.remove)
  const steps = table.put.map(([sql, rows]) => ({ statement: prepare(sql), rows }))
  const keyOf = (record: RecordOf[Kind]) => key.map((member) => record[member] as Value)
  return {
    count: () => count.get()?.[0] ?? 0,
    page: (after, limit) =>
      (after === undefined ? first.all(limit) : next.all(...keyOf(after), limit)).map(read),
    put: (record) => {
      for (const { statement, rows } of steps) for (const row of rows(record)) statement.run(...row)
    },
    remove: (record) => void remove.run(...keyOf(record)),
  }
}

/** The table `meta` contains the identity of the store and the marker of a copy. */
export function createCopyableRecords({ prepare, read, write }: Database): CopyableRecords {
  const tables = createRecordTables(prepare)
  const meta = prepare<readonly [string]>('SELECT value FROM meta WHERE key = ?')
  const set = prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  const setOnce = prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING')
  // The value of `data_version` does not change when this connection writes.
  const commits = prepare<readonly [number]>('PRAGMA data_version')
  const changes = prepare<readonly [number]>('SELECT total_changes()')

  function identity(): string {
    setOnce.run(IDENTITY, randomUUID())
    return meta.get(IDENTITY)?.[0] ?? ''
  }

  function mark(value: Mark): void {
    set.run(COPY, JSON.stringify(value))
  }

  return {
    identity: () => write(identity),
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
    // Uses one transaction, so that two concurrent copies cannot both begin.
    claim: (source) =>
      write(() => {
        if (source === identity()) return 'same'
        const earlier = meta.get(COPY)?.[0]
        if (earlier === undefined) {
          if (RECORD_KINDS.some((kind) => tables(kind).count() > 0)) return 'occupied'
          mark({ source, complete: false })
          return 'begun'
        }
        const before = JSON.parse(earlier) as Mark
        if (before.source !== source) return 'occupied'
        return before.complete ? 'complete' : 'resumed'
      }),
    complete: (source) => write(() => mark({ source, complete: true })),
  }
}
