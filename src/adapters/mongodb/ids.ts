// Assigns increasing IDs from counters.
import type { Collection } from 'mongodb'
import { unavailable } from '../../domain/refusal.js'
import type { CounterName } from '../../ports/copyable-records.js'
import { batchCalls } from '../batch-calls.js'
import type { MetaDocument } from './documents.js'
import { isDuplicateOf, isOutcomeLost } from './errors.js'
import { upserting } from './writes.js'

/** Counter that orders sessions opened with a session limit, independently of clocks. A copy of the store does not need this counter. */
export const SESSION_ORDER = 'session-order'
type Counter = CounterName | typeof SESSION_ORDER

/** Returns an ID greater than every ID returned before the call. */
export type NextId = (counter: Counter) => Promise<number>

type Parts = Readonly<Record<CounterName, unknown>> & {
  readonly meta: Collection<MetaDocument>
  readonly nextId: NextId
}

/**
 * Creates increasing, unique IDs: one atomic operation increments the counter, and a majority confirms the increment before an ID is used.
 * Calls in the same event loop turn share one increment, which costs as much as an insert.
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

/** Increments the counter again if the reply was lost; gaps are harmless. */
async function advance(meta: Collection<MetaDocument>, counter: Counter, count: number): Promise<number> {
  const increment = async () =>
    await meta.findOneAndUpdate(
      { _id: counterOf(counter) },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after' },
    )
  const after = (await upserting(increment).catch(nothingIfLost)) ?? (await increment())
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

/** Limits the number of attempts, because another program may keep inserting documents with the next IDs. */
const MAX_TRIES = 5

/** Inserts a document with the next ID. A failed insert leaves a gap. Rejects with the error that `insert` threw. */
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
      if (!isDuplicateOf(error, '_id') || tries === MAX_TRIES) throw error
      await skipExisting(database, counter)
    }
  }
}

/** Advances the counter past the last document after another program, such as a restore, has inserted documents. */
async function skipExisting(database: Parts, counter: CounterName): Promise<void> {
  const documents = database[counter] as Collection<{ _id: number }>
  const last = await documents.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } })
  if (last) await database.meta.updateOne({ _id: counterOf(counter) }, { $max: { value: last._id } })
}
