import { assertProven, type Authorized } from './access/authorize.js'
import type { PurgeExpired } from './purge-expired.js'
import type { WithRetrying } from './retrying.js'

/** Removes what has expired on demand; returns how many rows went. Refuses with `forbidden`. */
export type PurgeStore = (input: { authorized: Authorized<'store', 'purge'> }) => Promise<number>

/** Takes the proof of `store: purge`. */
export function createPurgeStore(parts: { purgeExpired: PurgeExpired } & WithRetrying): PurgeStore {
  return async ({ authorized }) => {
    assertProven(authorized)
    return await parts.purgeExpired(undefined, parts.retrying)
  }
}
