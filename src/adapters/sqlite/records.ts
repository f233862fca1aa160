import { randomUUID } from 'node:crypto'
import type { CopyClaim, RecordKind, RecordOf, Records } from '../../ports/records.js'
import type { Database } from './database.js'
import { isContradiction } from './errors.js'
import { createRecordTables, type RecordTables } from './record-tables.js'

const IDENTITY = 'identity'
/** `{"source": …, "complete": …}` of the copy that this store is the target of. */
const COPY = 'copy'

type Mark = { readonly source: string; readonly complete: boolean }

/** The whole content, for copying; an identity and the mark of a copy stand in the table `meta`. */
export function createRecords(database: Database): Records {
  const { prepare, read, write } = database
  const tables: RecordTables = createRecordTables(prepare)
  const meta = prepare<readonly [string]>('SELECT value FROM meta WHERE key = ?')
  const set = prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  const setOnce = prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING')

  // The file's own counter does not move with what this connection has written.
  const commits = prepare<readonly [number]>('PRAGMA data_version')
  const changes = prepare<readonly [number]>('SELECT total_changes()')

  function identity(): string {
    setOnce.run(IDENTITY, randomUUID())
    return meta.get(IDENTITY)?.[0] ?? ''
  }

  function mark(value: Mark): void {
    set.run(COPY, JSON.stringify(value))
  }

  /** In one transaction, so no other begins beside it. */
  function claim(source: string): CopyClaim {
    if (source === identity()) return 'same'
    const earlier = meta.get(COPY)?.[0]
    if (earlier === undefined) {
      if (!tables.areEmpty()) return 'occupied'
      mark({ source, complete: false })
      return 'begun'
    }
    const before = JSON.parse(earlier) as Mark
    if (before.source !== source) return 'occupied'
    return before.complete ? 'complete' : 'resumed'
  }

  async function put<Kind extends RecordKind>(
    kind: Kind,
    records: readonly RecordOf[Kind][],
  ): Promise<'put' | 'contradicted'> {
    try {
      await write(() => {
        for (const record of records) tables.of(kind).put(record)
      })
      return 'put'
    } catch (error) {
      if (isContradiction(error)) return 'contradicted'
      throw error
    }
  }

  return {
    identity: () => write(identity),
    changeToken: () => read(() => `${commits.get()?.[0] ?? 0} ${changes.get()?.[0] ?? 0}`),
    count: (kind) => read(() => tables.of(kind).count()),
    page: <Kind extends RecordKind>(kind: Kind, after: RecordOf[Kind] | undefined, limit: number) =>
      read(() => tables.of(kind).page(after, limit)),
    put: (kind, records) => put(kind, records),
    remove: <Kind extends RecordKind>(kind: Kind, records: readonly RecordOf[Kind][]) =>
      write(() => {
        for (const record of records) tables.of(kind).remove(record)
      }),
    claim: (source) => write(() => claim(source)),
    complete: (source) => write(() => mark({ source, complete: true })),
  }
}
