import { fields } from './fields.js'
import { operation } from './operation.js'
import type { PurgeExpired } from './purge-expired.js'
import type { WithRetrying } from './retrying.js'

/** Removes expired data on demand; resolves with the number of rows. */
export const purgeStore = operation({
  permission: ['store', 'purge'],
  input: fields({}),
  parts: ['purgeExpired', 'retrying'],
  optional: ['retrying'],
  run:
    ({ purgeExpired, retrying }: { purgeExpired: PurgeExpired } & WithRetrying) =>
    async () =>
      await purgeExpired(undefined, retrying),
})
