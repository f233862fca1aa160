import type { RecordKind, RecordOf } from '../../ports/records.js'
import type { Row, Value } from './driver.js'

/** How records of a kind lie in tables. */
export type RecordTable<Kind extends RecordKind> = {
  readonly source: string
  readonly columns: string
  /** What orders the records, and the same of one record. */
  readonly key: readonly string[]
  readonly keyOf: (record: RecordOf[Kind]) => readonly Value[]
  readonly read: (row: Row) => RecordOf[Kind]
  /** For the values of `keyOf`; what hangs on the row goes with it. */
  readonly remove: string
  /** One after the other, each for every row of values. */
  readonly put: readonly {
    readonly sql: string
    readonly values: (record: RecordOf[Kind]) => readonly (readonly Value[])[]
  }[]
}

/** Inserts a row of these columns, or puts it in the place of the one with its key. */
export function upsert(table: string, columns: readonly string[], key: readonly string[]): string {
  const changes = columns.filter((one) => !key.includes(one)).map((one) => `${one} = excluded.${one}`)
  return `
    INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes.join(', ')}`
}
