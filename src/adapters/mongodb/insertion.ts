import { isDeepStrictEqual } from 'node:util'
import type { Collection, Document, Filter, OptionalUnlessRequiredId } from 'mongodb'
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
