import type { SyncPort } from '../../application/wrap-port.js'
import { isInForce, type ApiKey, type ApiKeyDigest, type ApiKeyId } from '../../domain/access/api-key.js'
import type { RequiredCalls } from '../../ports/calls/store.js'
import { rolesOfKeys, type State } from './state.js'

/** API keys in memory. */
export function memoryApiKeys(state: State): SyncPort<RequiredCalls<'apiKeys'>> {
  const keys = state.apiKeys
  const ids = new Map<ApiKeyDigest, ApiKeyId>()

  function hasActiveCreator({ createdBy = 'cli' }: ApiKey): boolean {
    if (createdBy === 'cli') return true
    const account = state.accounts.get(createdBy)
    return account !== undefined && account.disabledAt === undefined
  }

  return {
    insert({ digest, roles: wanted, ...rest }) {
      const found = rolesOfKeys(state, wanted)
      if ('unknown' in found) return { kind: 'unknown-role', role: found.unknown }
      const id = keys.add((fresh) => ({ ...rest, id: fresh, roles: found.roles }))
      ids.set(digest, id)
      return { kind: 'inserted', id }
    },
    find(digest, at) {
      const id = ids.get(digest)
      const key = id === undefined ? undefined : keys.get(id)
      return key && isInForce(key, at) && hasActiveCreator(key) ? key : undefined
    },
    page: (after, limit) => keys.page(after, limit),
    recordUse(id, at) {
      const key = keys.get(id)
      if (key && at > (key.lastUsedAt ?? Number.NEGATIVE_INFINITY))
        keys.replace(id, { ...key, lastUsedAt: at })
    },
    revoke(id, at) {
      const key = keys.get(id)
      if (!key) return 'unknown'
      if (key.revokedAt !== undefined) return 'already-revoked'
      keys.replace(id, { ...key, revokedAt: at })
      return 'revoked'
    },
  }
}
