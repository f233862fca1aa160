import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { storeLaws } from '../../src/contracts/index.js'
import { openEmptied } from '../support/mongodb/emptied.js'
import { dataFolder } from '../support/memory-folder.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { describeWith, toolPath } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { describeStoreLaws } from './describe-laws.js'

/** CI runs alternating halves of the laws on three servers, and all laws on one server. */
const LAWS = rotating(storeLaws, Math.ceil(storeLaws.length / 2))

describeWith('mongodb', 'a store in a MongoDB replica set', () => {
  let set: MongoMemoryReplSet | undefined
  let database: FreshDatabase

  before(async () => {
    const given = process.env['MONGODB_URL']
    if (given === undefined) set = await startReplicaSet()
    database = freshDatabase(given ?? set?.getUri())
  })
  after(async () => {
    await database.drop()
    await set?.stop({ doCleanup: true, force: true })
  })

  describeStoreLaws('three servers', async () => await openEmptied(database.url), LAWS)
})

async function startReplicaSet(): Promise<MongoMemoryReplSet> {
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false'
  return await MongoMemoryReplSet.create({
    binary: { systemBinary: toolPath('mongod'), checkMD5: false },
    instanceOpts: Array.from({ length: 3 }, () => ({ dbPath: dataFolder() })),
    replSet: { count: 3, storageEngine: 'wiredTiger', args: ['--wiredTigerCacheSizeGB', '0.25'] },
  })
}
