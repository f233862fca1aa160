import type { Collection, Document, Filter, Sort } from 'mongodb'

/**
 * Removes at most `limit` of these documents, the first by `sort` first, and tells how many it were.
 * One that has come to be none of them in between stays.
 */
export async function removeFirst<D extends Document>(
  collection: Collection<D>,
  these: Filter<D>,
  { sort, limit }: { readonly sort: Sort; readonly limit: number },
): Promise<number> {
  const found = await collection.find(these, { sort, limit, projection: { _id: 1 } }).toArray()
  if (found.length === 0) return 0
  const first = { $and: [{ _id: { $in: found.map(({ _id }) => _id) } }, these] }
  return (await collection.deleteMany(first as unknown as Filter<D>)).deletedCount
}
