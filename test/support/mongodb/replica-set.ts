import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { toolPath } from '../required-tools.js'
import { dataFolder } from '../memory-folder.js'

/** Starts a replica set of three servers; if MONGODB_URL is set, uses that server instead. */
export async function startReplicaSet(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const given = process.env['MONGODB_URL']
  if (given !== undefined) return { url: given, stop: () => Promise.resolve() }
  const systemBinary = toolPath('mongod')
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false'
  const set = await MongoMemoryReplSet.create({
    binary: { systemBinary, checkMD5: false },
    instanceOpts: Array.from({ length: 3 }, () => ({ dbPath: dataFolder() })),
    replSet: { count: 3, storageEngine: 'wiredTiger', args: ['--wiredTigerCacheSizeGB', '0.25'] },
  })
  return {
    url: set.getUri(),
    stop: async () => {
      await set.stop({ doCleanup: true, force: true })
    },
  }
}
