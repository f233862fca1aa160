import { MongoMemoryServer } from 'mongodb-memory-server-core'
import { dataFolder } from '../memory-folder.js'
import { hasTool, TOOLS } from '../required-tools.js'
import { FIXTURE_URL } from './server.js'

/** Starts the MongoDB server of a run, unless another server is configured or no program is installed; returns a function that stops it. */
export async function startMongodb(): Promise<() => Promise<unknown>> {
  const systemBinary = TOOLS.mongod.find()
  if (!hasTool('mongodb') || process.env['MONGODB_URL'] !== undefined || systemBinary === undefined)
    return () => Promise.resolve()
  // Prevents a warning at each start that the server is older than the package's default version.
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false'
  const server = await MongoMemoryServer.create({
    binary: { systemBinary, checkMD5: false },
    instance: { dbPath: dataFolder(), storageEngine: 'wiredTiger', args: ['--wiredTigerCacheSizeGB', '0.5'] },
  })
  process.env[FIXTURE_URL] = server.getUri()
  return () => server.stop({ doCleanup: true, force: true })
}
