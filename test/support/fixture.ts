import * as fc from 'fast-check'
import { MongoMemoryServer } from 'mongodb-memory-server-core'
import { dataFolder } from './memory-folder.js'
import { FIXTURE_URL as MONGODB_URL } from './mongodb/server.js'
import { FAST, startCluster } from './postgresql/cluster.js'
import { FIXTURE_URL as POSTGRESQL_URL } from './postgresql/server.js'
import { hasTool, TOOLS } from './required-tools.js'
import { makeRunFolder } from './temporary-folder.js'

// Makes commands in the test process print as if there were no terminal, in any environment. The libraries of commands read NO_COLOR and
// OCLIF_COLUMNS when they are loaded, which happens later.
process.env['NO_COLOR'] = '1'
process.env['OCLIF_COLUMNS'] = '80'

// Mocha's workers transmit only the message and the stack of an error, so the message must contain the reason for the failure.
fc.configureGlobal({ ...fc.readConfigureGlobal(), includeErrorInReport: true })

let stopServers: readonly (() => Promise<unknown>)[] = []
let removeRunFolder: () => void

/**
 * Creates one folder and one server of each kind for all test files of a run; each file has separate databases. Mocha calls this function
 * once, before it starts its workers, which then inherit the path and the addresses.
 */
export async function mochaGlobalSetup(): Promise<void> {
  removeRunFolder = makeRunFolder()
  stopServers = (await Promise.all([startMongodb(), startPostgresql()])).filter((stop) => stop !== undefined)
}

export async function mochaGlobalTeardown(): Promise<void> {
  removeRunFolder()
  await Promise.all(stopServers.map((stop) => stop()))
}

/** Starts nothing if another server is configured or no program is installed. */
async function startMongodb() {
  const systemBinary = TOOLS.mongod.find()
  if (!hasTool('mongodb') || process.env['MONGODB_URL'] !== undefined || systemBinary === undefined)
    return undefined
  // Prevents a warning at each start that the server is older than the package's default version.
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false'
  const server = await MongoMemoryServer.create({
    binary: { systemBinary, checkMD5: false },
    instance: { dbPath: dataFolder(), storageEngine: 'wiredTiger', args: ['--wiredTigerCacheSizeGB', '0.5'] },
  })
  process.env[MONGODB_URL] = server.getUri()
  return () => server.stop({ doCleanup: true, force: true })
}

/** Starts nothing if no program is installed. */
async function startPostgresql() {
  if (!hasTool('postgresql')) return undefined
  const cluster = await startCluster(dataFolder(), FAST)
  process.env[POSTGRESQL_URL] = cluster.urlOf()
  return cluster.stop
}
