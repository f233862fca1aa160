import { MongoClient } from 'mongodb'
import * as mongodb from './mongodb/server.js'
import { contentsOf } from './postgresql/contents.js'
import * as postgresql from './postgresql/server.js'

export type ServerStore = (typeof SERVER_STORES)[keyof typeof SERVER_STORES]

/** The kinds of stores that run on a database server; `contents` returns all stored data as text. */
export const SERVER_STORES = {
  mongodb: {
    name: 'MongoDB',
    freshDatabase: () => Promise.resolve(mongodb.freshDatabase()),
    contents: documentsOf,
  },
  postgresql: {
    name: 'PostgreSQL',
    freshDatabase: () => postgresql.freshDatabase(),
    contents: contentsOf,
  },
}

/** If TEST_STORE is set, whole suites run on this kind of store instead of SQLite. */
export const SERVER_STORE = (SERVER_STORES as Readonly<Record<string, ServerStore | undefined>>)[
  process.env['TEST_STORE'] ?? ''
]

async function documentsOf(url: string): Promise<string> {
  const client = new MongoClient(url)
  try {
    const collections = await client.db().collections()
    return JSON.stringify(await Promise.all(collections.map((one) => one.find().toArray())))
  } finally {
    await client.close()
  }
}
