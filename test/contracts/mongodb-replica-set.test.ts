import { MongoClient } from 'mongodb'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import { emptyDatabase } from '../support/mongodb/emptied.js'
import { startReplicaSet } from '../support/mongodb/replica-set.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { describeStoreLaws } from './describe-store-laws.js'
import { describeWith } from '../support/required-tools.js'

describeWith('mongodb', 'a store in a MongoDB replica set', () => {
  let set: Awaited<ReturnType<typeof startReplicaSet>>
  let database: FreshDatabase

  before(async () => {
    set = await startReplicaSet()
    database = freshDatabase(set.url)
  })
  after(async () => {
    await database.drop()
    await set.stop()
  })

  // To make the indexes on three servers takes four times as long as a law: they are made once.
  describeStoreLaws('three servers', async () => {
    const client = new MongoClient(database.url)
    await emptyDatabase(client.db())
    await client.close()
    return await openMongo(database.url)
  })
})
