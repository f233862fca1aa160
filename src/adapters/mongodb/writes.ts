import { isDeepStrictEqual } from 'node:util'
import type { Collection, Document, Filter, OptionalUnlessRequiredId, ReadConcernLike, Sort } from 'mongodb'
import { isDuplicate } from './errors.js'

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

type RemovalOptions = {
  readonly sort: Sort
  readonly limit: number
  /** By default, only documents that a majority has confirmed are read. */
  readonly readConcern?: ReadConcernLike
}

/**
 * Removes the first `limit` matching documents in the order of `sort`, but skips a document that no longer matches when it is removed.
 * Returns the number of removed documents.
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
