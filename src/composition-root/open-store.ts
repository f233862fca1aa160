import type { MongoOptions } from '../adapters/mongodb/store.js'
import type { Store } from '../ports/store.js'
import type { DatabaseChoice } from '../configuration/storage.js'

/** For a store on another machine, which may come up later than the service. */
export type StoreWaiting = Pick<MongoOptions, 'startTimeout' | 'onWait'>

/** Opens the store that was chosen; its driver is loaded only now. */
export async function openStore(database: DatabaseChoice, waiting: StoreWaiting = {}): Promise<Store> {
  switch (database.kind) {
    case 'sqlite': {
      const { openSqlite } = await import('../adapters/sqlite/store.js')
      return await openSqlite(database.path)
    }
    case 'mongodb': {
      const { openMongo } = await import('../adapters/mongodb/index.js')
      return await openMongo(database.url, waiting)
    }
    case 'memory': {
      const { createMemoryStore } = await import('../adapters/memory/store.js')
      return createMemoryStore()
    }
  }
}
