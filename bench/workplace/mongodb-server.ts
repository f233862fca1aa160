import { execFileSync } from 'node:child_process'
import { MongoClient } from 'mongodb'
import { MongoMemoryReplSet } from 'mongodb-memory-server-core'

export const NO_MONGODB = 'not measured: set MONGODB_URL, or MONGOMS_SYSTEM_BINARY to the path of a mongod'

export function hasMongodb(): boolean {
  return process.env['MONGODB_URL'] !== undefined || process.env['MONGOMS_SYSTEM_BINARY'] !== undefined
}

/** The version of the server that `startMongodb` starts or finds. */
export async function mongodbVersion(): Promise<string> {
  const given = process.env['MONGODB_URL']
  if (given === undefined) {
    const said = execFileSync(process.env['MONGOMS_SYSTEM_BINARY'] ?? 'mongod', ['--version'], {
      encoding: 'utf8',
    })
    return /db version v(\S+)/.exec(said)?.[1] ?? 'of an unknown version'
  }
  const client = await new MongoClient(given).connect()
  try {
    const { version } = (await client.db().admin().buildInfo()) as { version: string }
    return version
  } finally {
    await client.close()
  }
}

/**
 * A replica set of one real server, so that `majority` and the oplog are as in production, or the server in
 * MONGODB_URL. MONGOMS_SYSTEM_BINARY names the binary.
 */
export async function startMongodb(): Promise<{
  /** The connection string for a database of this name. */
  urlOf(name: string): string
  stop(): Promise<void>
}> {
  const given = process.env['MONGODB_URL']
  if (given !== undefined) return { urlOf: (name) => withName(given, name), stop: () => Promise.resolve() }
  const systemBinary = process.env['MONGOMS_SYSTEM_BINARY']
  if (systemBinary === undefined) throw new Error(NO_MONGODB)
  const set = await MongoMemoryReplSet.create({
    replSet: { count: 1, storageEngine: 'wiredTiger' },
    binary: { systemBinary, checkMD5: false },
  })
  return {
    urlOf: (name) => withName(set.getUri(), name),
    stop: async () => {
      await set.stop({ doCleanup: true, force: true })
    },
  }
}

/** The host part may name several servers, so the platform cannot parse it as a URL. */
function withName(url: string, name: string): string {
  return url.replace(/^([^/]+\/\/[^/?]+)\/?[^?]*/, `$1/${name}`)
}
