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
 * kept, in small batches so that no caller waits long for the store. Returns how many rows went. Once the signal is
 * aborted it ends with the batch that is under way, or within it; the next purge goes on.
 */
export type PurgeExpired = (signal?: AbortSignal) => Promise<number>

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
  const { sessions, revocations, attempts, pets, clock } = parts
  return async (signal) => {
    const at = clock()
    let removed = 0
    for (const purge of [
      (limit: number) => sessions.purge(at, limit, signal),
      (limit: number) => revocations?.purge(at, limit),
      (limit: number) => attempts.purge(at, limit),
      (limit: number) => pets?.purgeIdempotencyKeys(at, limit),
      purgeAudit(parts, at),
    ])
      removed += await drain(async (limit) => (await purge(limit)) ?? 0, signal)
    return removed
  }
}

function purgeAudit({ auditLog, auditRetention }: PurgeExpiredParts, at: Instant) {
  return (limit: number) =>
    auditRetention === undefined ? undefined : auditLog?.purge(at - auditRetention, limit)
}

async function drain(
  purge: (limit: number) => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0
  for (let last = BATCH; last === BATCH && !signal?.aborted; removed += last) last = await purge(BATCH)
  return removed
}
