import type { AuditTrail } from '../application/audit/audit-trail.js'

/** What a crash loses of the counts of shared records, in milliseconds. */
const FLUSH_EVERY = 10_000

export type AuditFlushing = {
  /** Stops, after everything that was held back is written. */
  end(): Promise<void>
}

/** Writes what the audit trail holds back, every ten seconds; for one that is `batched`. */
export function createAuditFlushing(trail: Pick<AuditTrail, 'flush'>): AuditFlushing {
  const timer = setInterval(() => void trail.flush(), FLUSH_EVERY)
  timer.unref()
  return {
    end: async () => {
      clearInterval(timer)
      await trail.flush()
    },
  }
}
