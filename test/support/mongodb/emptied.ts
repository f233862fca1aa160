import type { Db } from 'mongodb'

/** Takes all data out of a database of ours, counters included; its indexes and the mark of the schema stay. */
export async function emptyDatabase(db: Db): Promise<void> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray()
  await Promise.all(
    collections.map(({ name }) =>
      db.collection<{ _id: string }>(name).deleteMany({ _id: { $ne: 'schema' } }),
    ),
  )
}
