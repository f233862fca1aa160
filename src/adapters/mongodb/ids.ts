import type { Collection } from 'mongodb'
import { unavailable } from '../../domain/refusal.js'
import type { CounterName } from '../../ports/copyable-records.js'
import { batchCalls } from './batch-calls.js'
import type { MetaDocument } from './documents.js'
import { isDuplicateOf, isOutcomeLost } from './errors.js'
import { upserting } from './writes.js'

/** Orders the sessions that are opened with a limit, independently of clocks. No copy needs this counter. */
export const SESSION_ORDER = 'session-order'
type Counter = CounterName | typeof SESSION_ORDER

/** The next ID of a counter: greater than every ID that was given out before the call. */
export type NextId = (counter: Counter) => Promise<number>

type Parts = Readonly<Record<CounterName, unknown>> & {
  readonly meta: Collection<MetaDocument>
  readonly nextId: NextId
}

/**
 * IDs increase and are never given twice: one atomic operation moves the counter, and a majority confirms it before an
 * ID is used. The calls of one turn share the operation, which costs as much as an insert.
 */
export function createNextId(meta: Collection<MetaDocument>): NextId {
  const batches = new Map<Counter, (ticket: object) => Promise<ReadonlyMap<object, number>>>()

  function batchOf(counter: Counter) {
    return batchCalls(async (tickets: readonly object[]) => {
      const first = (await advance(meta, counter, tickets.length)) - tickets.length + 1
      return new Map(tickets.map((ticket, index) => [ticket, first + index]))
    })
  }

  return async (counter) => {
    const batch = batches.get(counter) ?? batchOf(counter)
    batches.set(counter, batch)
    const ticket = {}
    return (await batch(ticket)).get(ticket) as number
  }
}

/** Moves the counter and returns its new value. Moves it again if the answer was lost: a gap does no harm. */
async function advance(meta: Collection<MetaDocument>, counter: Counter, count: number): Promise<number> {
  const move = async () =>
    await meta.findOneAndUpdate(
      { _id: counterOf(counter) },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after' },
    )
  const after = (await upserting(move).catch(nothingIfLost)) ?? (await move())
  if (!after) throw unavailable('The MongoDB server did not return the next ID.')
  return after.value
}

function nothingIfLost(error: unknown): null {
  if (isOutcomeLost(error)) return null
  throw error
}

export function counterOf(counter: Counter): MetaDocument['_id'] {
  return counter === SESSION_ORDER ? counter : `counter:${counter}`
}

/** The maximum number of attempts, because another program may insert documents all the time. */
const MOST_TRIES = 5

/** Inserts a document under the next ID of its kind. A refused insert leaves a gap. Rejects as `insert` does. */
export async function insertCounted<Id extends number>(
  database: Parts,
  counter: CounterName,
  insert: (id: Id) => Promise<unknown>,
): Promise<Id> {
  for (let tries = 1; ; tries += 1) {
    const id = (await database.nextId(counter)) as Id
    try {
      await insert(id)
      return id
    } catch (error) {
      if (!isDuplicateOf(error, '_id') || tries === MOST_TRIES) throw error
      await passOver(database, counter)
    }
  }
}

/**
 * Moves the counter past the last document, because another program, such as a restore of a backup, has inserted
 * documents.
 */
async function passOver(database: Parts, counter: CounterName): Promise<void> {
  const documents = database[counter] as Collection<{ _id: number }>
  const last = await documents.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } })
  if (last) await database.meta.updateOne({ _id: counterOf(counter) }, { $max: { value: last._id } })
}
