import type { ApiKey, ApiKeyId } from '../../domain/access/api-key.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import { assertProven, type Authorized } from './authorize.js'

/** As many as an array may have; a page of it is the whole list. */
const ALL = 2 ** 31 - 1

/**
 * API keys with an id above `after`, ascending, those that were revoked or have expired too, at most `limit`; all of
 * them unless told. No key and no digest is in it. Refuses with `forbidden`.
 */
export type ListApiKeys = (input: {
  authorized: Authorized<'apikey', 'list'>
  after?: ApiKeyId | undefined
  limit?: number | undefined
}) => Promise<readonly ApiKey[]>

/** Takes the proof of `apikey: list`. */
export function createListApiKeys(parts: { apiKeys: ApiKeys }): ListApiKeys {
  return async ({ authorized, after, limit = ALL }) => {
    assertProven(authorized)
    return await parts.apiKeys.page(after, limit)
  }
}
