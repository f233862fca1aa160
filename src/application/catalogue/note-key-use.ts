import { hourOfUse, type ApiKey, type ApiKeyId } from '../../domain/access/api-key.js'
import type { Instant } from '../../domain/instant.js'
import type { ApiKeys } from '../../ports/api-keys.js'

/** Keeps when a key was used last. It answers at once: no request waits for the write, nor fails with it. */
export type NoteKeyUse = (key: ApiKey, at: Instant) => void

/** Of those that are in use right now; beyond it some are written once more in their hour. */
const MOST = 1_000

/**
 * Writes once an hour for a key: what was read of it tells of the hour before, and what is under way is known here. A
 * write that failed is not tried again before the next hour, so that a store that cannot write is not asked by every
 * request.
 */
export function createNoteKeyUse(apiKeys: Pick<ApiKeys, 'recordUse'>): NoteKeyUse {
  const written = new Map<ApiKeyId, Instant>()

  async function write(id: ApiKeyId, hour: Instant): Promise<void> {
    try {
      await apiKeys.recordUse(id, hour)
    } catch {
      // The next hour's use is kept; that of this one is shown by the hour before.
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
