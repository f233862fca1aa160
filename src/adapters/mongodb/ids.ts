import type { Database } from './database.js'
import { isDuplicateOf } from './faults.js'

export type Counted = 'accounts' | 'pets' | 'apiKeys' | 'projects'

/**
 * Inserts a document under the next id of its kind. Ids increase and are never given twice: the
 * counter is moved by one atomic operation that a majority has before the id is used. A gap stays
 * where an insert was refused. `insert` rejects as the driver does.
 */
export async function insertCounted<Id extends number>(
  { meta }: Pick<Database, 'meta'>,
  kind: Counted,
  insert: (id: Id) => Promise<unknown>,
): Promise<Id> {
  for (;;) {
    const id = (await nextId(meta, kind)) as Id
    try {
      await insert(id)
      return id
    } catch (error) {
      // Somebody has put documents in without the counter, from a backup, say: go past them.
      if (!isDuplicateOf(error, '_id')) throw error
    }
  }
}

async function nextId(meta: Database['meta'], kind: Counted): Promise<number> {
  const after = await meta.findOneAndUpdate(
    { _id: `counter:${kind}` },
    { $inc: { value: 1 } },
    { upsert: true, returnDocument: 'after' },
  )
  if (!after) throw new Error('an upsert gave no document')
  return after.value
}
