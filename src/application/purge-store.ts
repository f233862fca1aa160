import type { Caller } from '../domain/access/caller.js'
import type { Authorize } from './access/authorize.js'
import type { PurgeExpired } from './purge-expired.js'

/** Removes what has expired because somebody asks for it; returns how many rows went. Refuses with `forbidden`. */
export type PurgeStore = (input: { caller: Caller }) => Promise<number>

/** Needs the grant `store: purge`. */
export function createPurgeStore(parts: { authorize: Authorize; purgeExpired: PurgeExpired }): PurgeStore {
  return async ({ caller }) => {
    parts.authorize(caller, 'store', 'purge')
    return await parts.purgeExpired()
  }
}
