import { isDeepStrictEqual } from 'node:util'
import type {
  Collection,
  Document,
  Filter,
  OptionalUnlessRequiredId,
  ReadConcernLike,
  Sort,
  UpdateFilter,
} from 'mongodb'
import { isDuplicate, isDuplicateOf, isOutcomeLost } from './errors.js'
import { unavailable } from '../../domain/refusal.js'
import type { CounterName } from '../../ports/copyable-records.js'
import { batchCalls } from '../database-server.js'
import type { AccountDocument, MetaDocument, SessionDocument } from './documents.js'
import type { AccountId, Epoch } from '../../domain/identity/account.js'

/**
 * Counter that determines the order of sessions opened under a session limit, independently of clocks. A copy of the store does not need
 * this counter.
 */
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

/** Another program may keep inserting documents with the next IDs. */
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

/**
 * Inserts a document with a new ID. After a lost reply, the driver repeats the insert, which the server may reject because the first
 * attempt succeeded. In this case, an identical stored document means success.
 */
export async function insertOwn<D extends Document>(collection: Collection<D>, document: D): Promise<void> {
  try {
    await collection.insertOne(document as OptionalUnlessRequiredId<D>)
  } catch (error) {
    if (!isDuplicate(error) || !(await hasDocument(collection, document))) throw error
  }
}

async function hasDocument<D extends Document>(collection: Collection<D>, document: D): Promise<boolean> {
  const found = await collection.findOne({ _id: document['_id'] as unknown } as Filter<D>)
  return isDeepStrictEqual(found, document)
}

/** Repeats `work` once if a unique index rejected it: of two concurrent upserts, the slower one then finds the document. */
export async function upserting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return await work()
  }
}

export async function exists<D extends Document>(
  collection: Collection<D>,
  filter: Filter<D>,
): Promise<boolean> {
  return (await collection.findOne(filter, { projection: { _id: 1 } })) !== null
}

type RemovalOptions = {
  readonly sort: Sort
  readonly limit: number
  /** By default, only documents that a majority has confirmed are read. */
  readonly readConcern?: ReadConcernLike
}

/** Removes the first `limit` matching documents in the order of `sort`, but skips a document that no longer matches when it is removed. */
export async function removeFirst<D extends Document>(
  collection: Collection<D>,
  these: Filter<D>,
  { limit, ...options }: RemovalOptions,
): Promise<number> {
  const found = await collection.find(these, { ...options, limit, projection: { _id: 1 } }).toArray()
  if (found.length === 0) return 0
  const first = { $and: [{ _id: { $in: found.map(({ _id }) => _id) } }, these] }
  return (await collection.deleteMany(first as unknown as Filter<D>)).deletedCount
}

export const ENABLED = { disabledAt: { $exists: false } } as const

type Logins = {
  readonly accounts: Collection<AccountDocument>
  readonly sessions: Collection<SessionDocument>
}

type Bump = { readonly id: AccountId; readonly epoch: Epoch; readonly ended: number }

/**
 * Increments the epoch in one write. After the write, no read finds earlier sessions of which the account is the owner or the actor. The
 * session documents are removed before this function returns, because a refresh checks only the session, not the account.
 */
export async function bumpEpoch(
  { accounts, sessions }: Logins,
  filter: Filter<AccountDocument>,
  change: UpdateFilter<AccountDocument>,
): Promise<Bump | undefined> {
  const bump = { ...change, $inc: { epoch: 1 } } as UpdateFilter<AccountDocument>
  const after = await accounts.findOneAndUpdate(filter, bump, { returnDocument: 'after' })
  if (!after) return undefined
  const before = { $lt: after.epoch }
  const [own] = await Promise.all([
    sessions.deleteMany({ accountId: after._id, epoch: before }),
    sessions.deleteMany({ 'actor.accountId': after._id, 'actor.epoch': before }),
  ])
  return { id: after._id, epoch: after.epoch, ended: own.deletedCount }
}
