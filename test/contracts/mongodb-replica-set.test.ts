import { storeLaws } from '../../src/contracts/index.js'
import { openEmptied } from '../support/mongodb/emptied.js'
import { startReplicaSet } from '../support/mongodb/replica-set.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { describeStoreLaws } from './describe-laws.js'

/** CI runs alternating halves of the laws on three servers, and all laws on one server. */
const LAWS = rotating(storeLaws, Math.ceil(storeLaws.length / 2))

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

  describeStoreLaws('three servers', async () => await openEmptied(database.url), LAWS)
})
