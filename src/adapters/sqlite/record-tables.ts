import { RECORD_KINDS, type RecordKind, type RecordOf } from '../../ports/records.js'
import type { Database } from './database.js'
import { RECORD_TABLES } from './record-rows.js'
import type { RecordTable } from './record-table.js'

/** How records of one kind are counted, read in their order and put. */
export type RecordAccess<Kind extends RecordKind> = {
  count(): number
  page(after: RecordOf[Kind] | undefined, limit: number): readonly RecordOf[Kind][]
  put(record: RecordOf[Kind]): void
  remove(record: RecordOf[Kind]): void
}

export type RecordTables = {
  of<Kind extends RecordKind>(kind: Kind): RecordAccess<Kind>
  areEmpty(): boolean
}

/** Statements are prepared when a kind is first asked for: hardly any process ever copies. */
export function createRecordTables(prepare: Database['prepare']): RecordTables {
  const made = new Map<RecordKind, unknown>()

  function of<Kind extends RecordKind>(kind: Kind): RecordAccess<Kind> {
    const known = made.get(kind) ?? accessTo<Kind>(RECORD_TABLES[kind], prepare)
    made.set(kind, known)
    return known as RecordAccess<Kind>
  }

  return { of, areEmpty: () => RECORD_KINDS.every((kind) => of(kind).count() === 0) }
}

function accessTo<Kind extends RecordKind>(
  table: RecordTable<Kind>,
  prepare: Database['prepare'],
): RecordAccess<Kind> {
  const { source, columns, key } = table
  const keys = `(${key.join(', ')})`
  const places = `(${key.map(() => '?').join(', ')})`
  const order = `ORDER BY ${key.join(', ')} LIMIT ?`
  const count = prepare<readonly [number]>(`SELECT count(*) FROM ${source}`)
  const first = prepare(`SELECT ${columns} FROM ${source} ${order}`)
  const next = prepare(`SELECT ${columns} FROM ${source} WHERE ${keys} > ${places} ${order}`)
  const remove = prepare(table.remove)
  const steps = table.put.map(({ sql, values }) => ({ statement: prepare(sql), values }))
  return {
    count: () => count.get()?.[0] ?? 0,
    page: (after, limit) =>
      (after === undefined ? first.all(limit) : next.all(...table.keyOf(after), limit)).map(table.read),
    put: (record) => {
      for (const { statement, values } of steps) {
        for (const row of values(record)) statement.run(...row)
      }
    },
    remove: (record) => {
      remove.run(...table.keyOf(record))
    },
  }
}
