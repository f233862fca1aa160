import { openMongo } from '../../src/adapters/mongodb/store.js'
import { openPostgres } from '../../src/adapters/postgresql/store.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import type { Milliseconds } from '../../src/domain/instant.js'
import type { Store } from '../../src/ports/store.js'

/** Options for stores on a server. */
type Waiting = { readonly timeout?: Milliseconds; readonly startTimeout?: Milliseconds }

/** Opens the store that DATABASE_URL would select, or the store in a SQLite file at a path. */
export async function openAt(place: string, waiting: Waiting = {}): Promise<Store> {
  if (place.startsWith('mongodb:')) return await openMongo(place, waiting)
  if (place.startsWith('postgresql:')) return await openPostgres(place, waiting)
  return await openSqlite(place.replace(/^sqlite:/, ''))
}
