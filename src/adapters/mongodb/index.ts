import { withOptionalPackage } from '../../domain/optional-package.js'
import type { Store } from '../../ports/store.js'
import type { MongoOptions } from './store.js'

export type { MongoOptions } from './store.js'

/**
 * Opens a store in the database that the URL names (`kennel` where it names none), on a server of
 * its own or a replica set, MongoDB 6.0 or newer. Any number of instances may have it open, on
 * any number of machines. What a call has acknowledged is in the journals of a majority. Loads the
 * driver, which is an optional package: `npm install mongodb`. Rejects with a Refusal, whose
 * `detail` names the reason and never a password: `unavailable`; `incompatible-store` for a
 * database of another program or of a newer release; `missing-package` without the driver.
 */
export async function openMongo(url: string, options: MongoOptions = {}): Promise<Store> {
  const { openMongo: open } = await withOptionalPackage('mongodb', () => import('./store.js'))
  return await open(url, options)
}
