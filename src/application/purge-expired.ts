import type { Instant, Milliseconds } from '../domain/instant.js'
import type { AuditLog } from '../ports/audit-log.js'
import type { Pets } from '../ports/pets.js'
import type { Clock } from '../ports/clock.js'
import type { AttemptLimiter } from '../ports/attempt-limiter.js'
import type { Revocations } from '../ports/revocations.js'
import type { Sessions } from '../ports/sessions.js'

const BATCH = 500

/**
 * Removes ended sessions, idempotency keys that are free again, revocations of tokens that have
 * expired, counts of attempts whose window is over and audit records older than they have to be
 * kept, in small batches so that no caller waits long for the store. Returns how many rows went.
 */
export type PurgeExpired = () => Promise<number>

/** What purging is made of; nothing is there to remove of what is absent. */
export type PurgeExpiredParts = {
  sessions: Sessions
  revocations?: Revocations | undefined
  attempts: AttemptLimiter
  pets?: Pets | undefined
  auditLog?: AuditLog | undefined
  /** How long audit records are kept; for ever where it is missing. */
  auditRetention?: Milliseconds | undefined
  clock: Clock
}

/** Needs no permission: it is the host that calls it, every few minutes. */
export function createPurgeExpired(parts: PurgeExpiredParts): PurgeExpired {
  return async () => {
    const at = parts.clock()
    const sessions = await drain((limit) => parts.sessions.purge(at, limit))
    const revocations = await drain(async (limit) => (await parts.revocations?.purge(at, limit)) ?? 0)
    const attempts = await drain((limit) => parts.attempts.purge(at, limit))
    const keys = await drain(async (limit) => (await parts.pets?.purgeIdempotencyKeys(at, limit)) ?? 0)
    return sessions + revocations + attempts + keys + (await purgeAudit(parts, at))
  }
}

async function purgeAudit(
  { auditLog, auditRetention }: Pick<PurgeExpiredParts, 'auditLog' | 'auditRetention'>,
  at: Instant,
): Promise<number> {
  if (auditRetention === undefined || !auditLog) return 0
  return await drain((limit) => auditLog.purge(at - auditRetention, limit))
}

async function drain(purge: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0
  for (let last = BATCH; last === BATCH; removed += last) last = await purge(BATCH)
  return removed
}
