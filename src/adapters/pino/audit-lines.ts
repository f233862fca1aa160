import type { AuditSink } from '../../ports/audit-log.js'
import type { Log } from '../../ports/log.js'

/**
 * Writes a log line at `info` for each audit record; a higher log level drops them. The counts of the lines of
 * one shared record add up.
 */
export function createAuditLines(log: Log): AuditSink {
  return {
    append: async ({ event, actor, subject, outcome, count, address, requestId }) => {
      const audit = {
        event,
        actor,
        outcome,
        ...(subject !== undefined && { subject }),
        ...(count !== undefined && { count }),
      }
      log.info('audit', { audit, address, requestId })
    },
  }
}
