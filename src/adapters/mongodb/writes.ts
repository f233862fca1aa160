import { isDeepStrictEqual } from 'node:util'
import type { Collection, Document, Filter, OptionalUnlessRequiredId, ReadConcernLike, Sort } from 'mongodb'
import { isDuplicate } from './errors.js'

/**
 * Inserts a document under an id of its own. The driver sends it again where the answer was lost; a server that
 * does not know the first attempt then refuses what that has inserted. The document that is there tells.
 */
export async function insertOwn<D extends Document>(collection: Collection<D>, document: D): Promise<void> {
  try {
    await collection.insertOne(document as OptionalUnlessRequiredId<D>)
  } catch (error) {
    if (!isDuplicate(error) || !(await holds(collection, document))) throw error
  }
}

async function holds<D extends Document>(collection: Collection<D>, document: D): Promise<boolean> {
  const found = await collection.findOne({ _id: document['_id'] as unknown } as Filter<D>)
  return isDeepStrictEqual(found, document)
}

/**
 * Works once more where a unique index refused it: of two upserts of one id at the same time the slower one may be
 * told of the other's document, which it then finds.
 */
export async function upserting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    return await work()
  }
}

type RemovalOptions = {
  readonly sort: Sort
  readonly limit: number
  /** Which of these documents are looked at; without it those that a majority has confirmed. */
  readonly readConcern?: ReadConcernLike
}

/**
 * Removes at most `limit` of these documents, the first by `sort` first, and tells how many it were.
 * One that has come to be none of them in between stays.
 */
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
