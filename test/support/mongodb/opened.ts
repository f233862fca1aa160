import { MongoClient, type Db } from 'mongodb'
import { stub } from 'sinon'
import { connectDatabase, type Database } from '../../../src/adapters/mongodb/database.js'
import { prepareSchema } from '../../../src/adapters/mongodb/schema.js'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { freshDatabase, type FreshDatabase } from './server.js'

type Options = {
  readonly onClient?: (client: MongoClient) => unknown
  /** Options appended to the store URL. */
  readonly query?: string
}

async function openDatabase({ onClient, query }: Options = {}) {
  const database = freshDatabase()
  const client = new MongoClient(database.url)
  const separator = database.url.includes('?') ? '&' : '?'
  const url = query === undefined ? database.url : `${database.url}${separator}${query}`
  const store = await openMongo(url, {
    onClient: (one) => {
      onClient?.(one as MongoClient)
    },
  })
  return {
    url,
    store,
    db: client.db(),
    /** Returns a collection whose IDs are strings or numbers. */
    collection: <T extends { _id: string | number }>(name: string) => client.db().collection<T>(name),
    close: async () => {
      await Promise.all([store.close(), client.close()])
      await database.drop()
    },
  }
}

/** Opens a database for each test of the surrounding `describe`, and removes it afterwards. */
export function databaseOfTests(options?: Options) {
  let opened: Awaited<ReturnType<typeof openDatabase>>
  beforeEach(async () => {
    opened = await openDatabase(options)
  })
  afterEach(() => opened.close())
  return () => opened
}

/** Connects to a new database with the schema for each test of the surrounding `describe`, and removes it afterwards. */
export function connectionOfTests(): () => { readonly url: string; readonly database: Database } {
  let fresh: FreshDatabase
  let database: Database
  beforeEach(async () => {
    fresh = freshDatabase()
    database = await connectDatabase(fresh.url)
    await prepareSchema(database)
  })
  afterEach(async () => {
    await database.close()
    await fresh.drop()
  })
  return () => ({ url: fresh.url, database })
}

/** Calls `work` once, just before the next call of this driver method. */
export function beforeCall(
  place: `${keyof Database}.${string}`,
  database: Database,
  work: () => Promise<unknown>,
) {
  const [collection, method] = place.split('.') as ['roles', 'deleteOne']
  const own = database[collection]
  const call = own[method].bind(own) as (...args: unknown[]) => Promise<never>
  const stubbed = stub(own, method).callsFake(async (...args: unknown[]) => {
    stubbed.restore()
    await work()
    return await call(...args)
  })
}

/** Runs the work with the address of a new database that no store has opened, and with the database itself. */
export async function withFreshDatabase(work: (url: string, db: Db) => Promise<unknown>): Promise<void> {
  const database = freshDatabase()
  const client = new MongoClient(database.url)
  try {
    await work(database.url, client.db())
  } finally {
    await client.close()
    await database.drop()
  }
}
