import { MongoClient, type Db } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import type { Store } from '../../../src/ports/store.js'

/** Removes all data from a test database, including counters; the indexes and the schema version remain. */
export async function emptyDatabase(db: Db): Promise<void> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray()
  await Promise.all(
    collections.map(({ name }) =>
      db.collection<{ _id: string }>(name).deleteMany({ _id: { $ne: 'schema' } }),
    ),
  )
}

/** Opens a store without data in a database that was used before. Creating all indexes takes four times as long as checking a law. */
export async function openEmptied(url: string): Promise<Store> {
  const client = new MongoClient(url)
  await emptyDatabase(client.db())
  await client.close()
  return await openMongo(url)
}
