import type { Collection } from 'mongodb'
import type { MetaDocument } from './documents.js'
import { isDuplicateOf } from './faults.js'

export type Counted = 'accounts' | 'pets' | 'apiKeys' | 'projects'

/** The next id of a kind: greater than every one that was given out before it was asked for. */
export type NextId = (kind: Counted) => Promise<number>

type Waiting = { readonly resolve: (id: number) => void; readonly reject: (error: unknown) => void }

/**
 * Ids increase and are never given twice: the counter is moved by one atomic operation that a
 * majority has before an id is used. What is asked for in one turn of the event loop shares that
 * operation, since it costs as much as the insert itself.
 */
export function createNextId(meta: Collection<MetaDocument>): NextId {
  const queues = new Map<Counted, Waiting[]>()

  async function flush(kind: Counted): Promise<void> {
    const batch = queues.get(kind) ?? []
    queues.delete(kind)
    try {
      const last = await advance(meta, kind, batch.length)
      batch.forEach(({ resolve }, index) => resolve(last - batch.length + 1 + index))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (kind) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(kind)
      if (queue) {
        queue.push({ resolve, reject })
        return
      }
      queues.set(kind, [{ resolve, reject }])
      setImmediate(() => void flush(kind))
    })
}

/** Moves the counter on by so many; gives the last of them. */
async function advance(meta: Collection<MetaDocument>, kind: Counted, count: number): Promise<number> {
  const after = await meta.findOneAndUpdate(
    { _id: counterOf(kind) },
    { $inc: { value: count } },
    { upsert: true, returnDocument: 'after' },
  )
  if (!after) throw new Error('an upsert gave no document')
  return after.value
}

export function counterOf(kind: Counted): MetaDocument['_id'] {
  return `counter:${kind}`
}

/**
 * Inserts a document under the next id of its kind. A gap stays where an insert was refused.
 * `insert` rejects as the driver does.
 */
export async function insertCounted<Id extends number>(
  { nextId }: { readonly nextId: NextId },
  kind: Counted,
  insert: (id: Id) => Promise<unknown>,
): Promise<Id> {
  for (;;) {
    const id = (await nextId(kind)) as Id
    try {
      await insert(id)
      return id
    } catch (error) {
      // Somebody has put documents in without the counter, from a backup, say: go past them.
      if (!isDuplicateOf(error, '_id')) throw error
    }
  }
}
