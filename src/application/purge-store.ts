import { assertProven, type Authorized } from './access/authorize.js'
import type { PurgeExpired } from './purge-expired.js'

/** Removes what has expired on demand; returns how many rows went. Refuses with `forbidden`. */
export type PurgeStore = (input: { authorized: Authorized<'store', 'purge'> }) => Promise<number>

/** Takes the proof of `store: purge`. */
export function createPurgeStore(parts: { purgeExpired: PurgeExpired }): PurgeStore {
  return async ({ authorized }) => {
    assertProven(authorized)
    return await parts.purgeExpired()
  }
}
