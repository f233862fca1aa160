import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import type { Store } from '../../../src/ports/store.js'
import { withPlanted } from './planted/planted.js'

/** What `STORE_MODULE` names where a bug is planted in the store of a service: which, and where the data are, is in the environment. */
export async function openStore(): Promise<Store> {
  const { PLANTED_IN: url = '', PLANTED: name } = process.env
  return withPlanted(url.startsWith('mongodb:') ? await openMongo(url) : await openSqlite(url), name)
}
