import { hourOfUse, type ApiKey, type ApiKeyId } from '../../domain/access/api-key.js'
import type { ApiKeyIdentity } from '../../domain/access/caller.js'
import type { Instant } from '../../domain/instant.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { ApiKeySecrets } from '../../ports/session-keys.js'
import type { Clock } from '../../ports/system.js'

/**
 * Authenticates a program by its API key, in one read. Refuses an unknown, revoked or expired key with `invalid-credentials`. The first use
 * of the key in each hour is stored.
 */
export type AuthenticateApiKey = (apiKey: string) => Promise<ApiKeyIdentity>

export function createAuthenticateApiKey(parts: {
  apiKeys: ApiKeys
  secrets: ApiKeySecrets
  clock: Clock
}): AuthenticateApiKey {
  const { apiKeys, secrets, clock } = parts
  const noteUse = createNoteKeyUse(apiKeys)
  return async (apiKey) => {
    const at = clock()
    const found = await apiKeys.find(secrets.digest(apiKey), at)
    if (!found) throw wrongCredentials('unknown, revoked or expired API key')
    noteUse(found, at)
    return { kind: 'api-key', apiKeyId: found.id, roles: found.roles }
  }
}

export function wrongCredentials(detail: string): Refusal {
  return refuse('invalid-credentials', 'NotValid', 'Valid credentials are required.', detail)
}

/** Stores the last use of a key. Returns immediately, so that no request waits for the write or fails because of it. */
export type NoteKeyUse = (key: ApiKey, at: Instant) => void

/** The maximum number of keys whose use is remembered; with more keys, some uses may be written again within the hour. */
const MOST = 1_000

/**
 * Writes at most once an hour for each key: does nothing if the stored last use or a write by this process is from the same hour. A failed
 * write is not retried within the hour; otherwise every request would call a store that cannot write.
 */
export function createNoteKeyUse(apiKeys: Pick<ApiKeys, 'recordUse'>): NoteKeyUse {
  const written = new Map<ApiKeyId, Instant>()

  async function write(id: ApiKeyId, hour: Instant): Promise<void> {
    try {
      await apiKeys.recordUse(id, hour)
    } catch {
      // A use in a later hour is stored again; until then, `lastUsedAt` is too early or absent.
    }
  }

  return ({ id, lastUsedAt }, at) => {
    const hour = hourOfUse(at)
    if (lastUsedAt !== undefined && hour <= lastUsedAt) return
    if (hour <= (written.get(id) ?? Number.NEGATIVE_INFINITY)) return
    if (written.size >= MOST) written.clear()
    written.set(id, hour)
    void write(id, hour)
  }
}
