import { MongoClient, type Db } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import type { Store } from '../../../src/ports/store.js'

/** Removes all data from a database of ours, including counters; its indexes and the schema version stay. */
export async function emptyDatabase(db: Db): Promise<void> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray()
  await Promise.all(
    collections.map(({ name }) =>
      db.collection<{ _id: string }>(name).deleteMany({ _id: { $ne: 'schema' } }),
    ),
  )
}

/** A store without data in a used database. Creating all indexes takes four times as long as a law. */
export async function openEmptied(url: string): Promise<Store> {
  const client = new MongoClient(url)
  await emptyDatabase(client.db())
  await client.close()
  return await openMongo(url)
}
