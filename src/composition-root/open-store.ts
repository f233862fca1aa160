import type { Store } from '../ports/store.js'
import type { DatabaseChoice } from './configuration.js'

/** Opens the store that was chosen; its driver is loaded only now. */
export async function openStore(database: DatabaseChoice): Promise<Store> {
  switch (database.kind) {
    case 'sqlite': {
      const { openSqlite } = await import('../adapters/sqlite/store.js')
      return await openSqlite(database.path)
    }
    case 'mongodb': {
      const { openMongo } = await import('../adapters/mongodb/store.js')
      return await openMongo(database.url)
    }
    case 'memory': {
      const { createMemoryStore } = await import('../adapters/memory/store.js')
      return createMemoryStore()
    }
  }
}
