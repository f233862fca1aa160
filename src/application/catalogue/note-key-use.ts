import { hourOfUse, type ApiKey, type ApiKeyId } from '../../domain/access/api-key.js'
import type { Instant } from '../../domain/instant.js'
import type { ApiKeys } from '../../ports/api-keys.js'

/** Stores the last use of a key. It returns immediately: no request waits for the write or fails with it. */
export type NoteKeyUse = (key: ApiKey, at: Instant) => void

/** How many keys in use are remembered; if there are more, some may be written again within the hour. */
const MOST = 1_000

/**
 * Writes at most once an hour for each key, judged by the stored last use and the writes of this process. A failed
 * write is not repeated before the next hour, so that a store that cannot write is not asked by every request.
 */
export function createNoteKeyUse(apiKeys: Pick<ApiKeys, 'recordUse'>): NoteKeyUse {
  const written = new Map<ApiKeyId, Instant>()

  async function write(id: ApiKeyId, hour: Instant): Promise<void> {
    try {
      await apiKeys.recordUse(id, hour)
    } catch {
      // The use in the next hour is stored again; until then the key shows an earlier last use, or no use.
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
