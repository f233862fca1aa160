import { MongoMemoryServer } from 'mongodb-memory-server-core'
import { TOOLS } from '../required-tools.js'
import { makeRunFolder } from '../temporary-folder.js'
import { dataFolder } from '../memory-folder.js'
import { FIXTURE_URL } from './server.js'

// Commands in the processes of the tests print as without a terminal, in any environment. Their libraries read these
// variables when they are loaded, which is later.
process.env['NO_COLOR'] = '1'
process.env['OCLIF_COLUMNS'] = '80'

let server: MongoMemoryServer | undefined
let removeRunFolder: () => void

/**
 * Makes one folder and one server for all test files of a run; each file has separate databases. Mocha calls this once,
 * before its workers start and inherit the path and the address.
 */
export async function mochaGlobalSetup(): Promise<void> {
  removeRunFolder = makeRunFolder()
  if (process.env['TEST_MONGODB_SERVER'] === 'none') return
  const systemBinary = TOOLS.mongod.find()
  if (process.env['MONGODB_URL'] !== undefined || systemBinary === undefined) return
  // The server is older than the package's default version, which would cause a warning each time.
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false'
  server = await MongoMemoryServer.create({
    binary: { systemBinary, checkMD5: false },
    instance: { dbPath: dataFolder(), storageEngine: 'wiredTiger', args: ['--wiredTigerCacheSizeGB', '0.5'] },
  })
  process.env[FIXTURE_URL] = server.getUri()
}

export async function mochaGlobalTeardown(): Promise<void> {
  removeRunFolder()
  await server?.stop({ doCleanup: true, force: true })
}
