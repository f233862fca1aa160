import type { Pets } from '../ports/pets.js'
import type { Clock } from '../ports/clock.js'
import type { AttemptLimiter } from '../ports/attempt-limiter.js'
import type { Revocations } from '../ports/revocations.js'
import type { Sessions } from '../ports/sessions.js'

const BATCH = 500

/**
 * Removes ended sessions, idempotency keys that are free again and revocations of tokens that have expired, in small batches so that
 * nobody waits long for the store. Returns how many rows went.
 */
export type PurgeExpired = () => Promise<number>

export function createPurgeExpired(parts: {
  sessions: Sessions
  revocations: Revocations
  attempts: AttemptLimiter
  pets: Pets
  clock: Clock
}): PurgeExpired {
  return async () => {
    const at = parts.clock()
    const sessions = await drain((limit) => parts.sessions.purge(at, limit))
    const revocations = await drain((limit) => parts.revocations.purge(at, limit))
    const attempts = await drain((limit) => parts.attempts.purge(at, limit))
    const keys = await drain((limit) => parts.pets.purgeIdempotencyKeys(at, limit))
    return sessions + revocations + attempts + keys
  }
}

async function drain(purge: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0
  for (let last = BATCH; last === BATCH; removed += last) last = await purge(BATCH)
  return removed
}
