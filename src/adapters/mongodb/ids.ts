import type { Collection } from 'mongodb'
import type { MetaDocument } from './documents.js'
import { unavailable } from '../../domain/refusal.js'
import { isDuplicateOf, isOutcomeLost } from './errors.js'
import { upserting } from './writes.js'

export type Counted = 'accounts' | 'pets' | 'apiKeys' | 'projects'

/** Says which of two sessions that are opened with a limit was first, whatever clocks say. It names nothing, and no copy needs it. */
export const SESSION_ORDER = 'session-order'
type Kind = Counted | typeof SESSION_ORDER

/** The next id of a kind: greater than every one that was given out before it was asked for. */
export type NextId = (kind: Kind) => Promise<number>

type Parts = Readonly<Record<Counted, unknown>> & {
  readonly meta: Collection<MetaDocument>
  readonly nextId: NextId
}

type Waiting = { readonly resolve: (id: number) => void; readonly reject: (error: unknown) => void }

/**
 * Ids increase and are never given twice: the counter is moved by one atomic operation that a
 * majority has before an id is used. What is asked for in one turn of the event loop shares that
 * operation, since it costs as much as the insert itself.
 */
export function createNextId(meta: Collection<MetaDocument>): NextId {
  const queues = new Map<Kind, Waiting[]>()

  async function flush(kind: Kind): Promise<void> {
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

/**
 * Moves the counter on by so many; gives the last of them. Where it was moved and the answer was lost, it is moved
 * once more: a gap does no harm.
 */
async function advance(meta: Collection<MetaDocument>, kind: Kind, count: number): Promise<number> {
  const move = async () =>
    await meta.findOneAndUpdate(
      { _id: counterOf(kind) },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after' },
    )
  const after = (await upserting(move).catch(nothingWhereLost)) ?? (await move())
  if (!after) throw unavailable('The MongoDB server did not tell the next id.')
  return after.value
}

function nothingWhereLost(error: unknown): null {
  if (isOutcomeLost(error)) return null
  throw error
}

export function counterOf(kind: Kind): MetaDocument['_id'] {
  return kind === SESSION_ORDER ? kind : `counter:${kind}`
}

/** How often a counter is brought forward; a program that inserts documents without it would have to be faster each time. */
const MOST_TRIES = 5

/**
 * Inserts a document under the next id of its kind. A gap stays where an insert was refused.
 * `insert` rejects as the driver does.
 */
export async function insertCounted<Id extends number>(
  database: Parts,
  kind: Counted,
  insert: (id: Id) => Promise<unknown>,
): Promise<Id> {
  for (let tries = 1; ; tries += 1) {
    const id = (await database.nextId(kind)) as Id
    try {
      await insert(id)
      return id
    } catch (error) {
      if (!isDuplicateOf(error, '_id') || tries === MOST_TRIES) throw error
      await passOver(database, kind)
    }
  }
}

/** Documents were put in without the counter, from a backup, say: it goes on behind the last of them. */
async function passOver(database: Parts, kind: Counted): Promise<void> {
  const documents = database[kind] as Collection<{ _id: number }>
  const last = await documents.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } })
  if (last) await database.meta.updateOne({ _id: counterOf(kind) }, { $max: { value: last._id } })
}
