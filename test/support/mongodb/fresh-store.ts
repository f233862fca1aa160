import { openMongo } from '../../../src/adapters/mongodb/store.js'
import type { Store } from '../../../src/ports/store.js'
import { freshDatabase } from './server.js'

/** A store in a database of its own, which goes when the store is closed. */
export async function openFresh(server?: string): Promise<Store> {
  const database = freshDatabase(server)
  const store = await openMongo(database.url)
  return {
    ...store,
    close: async () => {
      await store.close()
      await database.drop()
    },
  }
}
