import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import type { Workplace } from './workplace.js'

export const NO_MONGODB = 'not measured: set MONGODB_URL, or MONGOMS_SYSTEM_BINARY to the path of a mongod'

export function hasMongodb(): boolean {
  return process.env['MONGODB_URL'] !== undefined || process.env['MONGOMS_SYSTEM_BINARY'] !== undefined
}

/**
 * Runs `work` with the server in MONGODB_URL, or with a replica set of one server, where `majority` and the oplog work
 * as in production. Any workplace can use a database on this server for its store.
 */
export async function withMongodb<T>(
  work: (inDatabase: (place: Workplace, name: string) => Workplace) => Promise<T>,
): Promise<T> {
  const given = process.env['MONGODB_URL']
  if (given !== undefined) return await work((place, name) => storedIn(place, withName(given, name)))
  const systemBinary = process.env['MONGOMS_SYSTEM_BINARY']
  if (systemBinary === undefined) throw new Error(NO_MONGODB)
  const set = await MongoMemoryReplSet.create({
    replSet: { count: 1, storageEngine: 'wiredTiger' },
    binary: { systemBinary, checkMD5: false },
  })
  try {
    return await work((place, name) => storedIn(place, withName(set.getUri(), name)))
  } finally {
    await set.stop({ doCleanup: true, force: true })
  }
}

/** Returns the same workplace with a database instead of a file. */
function storedIn(place: Workplace, database: string): Workplace {
  return {
    ...place,
    database,
    env: { ...place.env, DATABASE_URL: database },
    withStore: async (use) => {
      const store = await openMongo(database)
      try {
        return await use(store)
      } finally {
        await store.close()
      }
    },
  }
}

/** The host part may name several servers, so the platform cannot parse it as a URL. */
function withName(url: string, name: string): string {
  return url.replace(/^([^/]+\/\/[^/?]+)\/?[^?]*/, `$1/${name}`)
}
