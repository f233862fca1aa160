// Stores the identity of a store, and marks a store as the target of a copy.
import { randomUUID } from 'node:crypto'
import type { CopyableRecords } from '../../ports/copyable-records.js'
import { upsert } from './rows.js'
import type { Statements } from './statements.js'

const IDENTITY = 'identity'
/** Key of the marker that a copy leaves in its target store. */
const COPY = 'copy'

type Mark = { readonly source: string; readonly complete: boolean }

/** The table `meta` contains the store's identity and the copy marker. */
export function createCopyMarks(
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
