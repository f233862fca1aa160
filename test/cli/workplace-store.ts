import { openMongo } from '../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import type { Store } from '../../src/ports/store.js'
import { RUNS_ON_MONGODB } from '../support/mongodb/server.js'
import type { Workplace } from './app.js'

/** Opens the store of a workplace directly, without a command. */
export async function onStoreOf({ env }: Workplace, work: (store: Store) => Promise<unknown>): Promise<void> {
  const url = env['DATABASE_URL'] ?? ''
  const store = RUNS_ON_MONGODB ? await openMongo(url) : await openSqlite(url.slice('sqlite:'.length))
  try {
    await work(store)
  } finally {
    await store.close()
  }
}
