import { MongoClient } from 'mongodb'
import * as mongodb from './mongodb/server.js'
import { contentsOf } from './postgresql/contents.js'
import * as postgresql from './postgresql/server.js'

/** A kind of store that runs on a database server. */
export type ServerStore = {
  readonly name: string
  readonly freshDatabase: () => Promise<{ readonly url: string; readonly drop: () => Promise<void> }>
  /** Returns all stored data as text. */
  readonly contents: (url: string) => Promise<string>
}

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
} satisfies Readonly<Record<string, ServerStore>>

/** If TEST_STORE is set, whole suites run on this kind of store instead of SQLite. */
export const SERVER_STORE = (SERVER_STORES as Readonly<Record<string, ServerStore>>)[
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
