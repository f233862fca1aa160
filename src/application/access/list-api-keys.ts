import type { ApiKey } from '../../domain/access/api-key.js'
import type { Caller } from '../../domain/access/caller.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Authorize } from './authorize.js'

/** All API keys by id, revoked ones too; no key and no digest is in it. Refuses with `forbidden`. */
export type ListApiKeys = (input: { caller: Caller }) => Promise<readonly ApiKey[]>

/** Needs the grant `apikey: list`. */
export function createListApiKeys(parts: { authorize: Authorize; apiKeys: ApiKeys }): ListApiKeys {
  return async ({ caller }) => {
    parts.authorize(caller, 'apikey', 'list')
    return await parts.apiKeys.list()
  }
}
