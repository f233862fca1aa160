import type { ApiKey } from '../../domain/access/api-key.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import { assertProven, type Authorized } from './authorize.js'

/** All API keys by id, revoked ones too; no key and no digest is in it. Refuses with `forbidden`. */
export type ListApiKeys = (input: { authorized: Authorized<'apikey', 'list'> }) => Promise<readonly ApiKey[]>

/** Takes the proof of `apikey: list`. */
export function createListApiKeys(parts: { apiKeys: ApiKeys }): ListApiKeys {
  return async ({ authorized }) => {
    assertProven(authorized)
    return await parts.apiKeys.list()
  }
}
