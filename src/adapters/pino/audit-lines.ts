import type { AuditSink } from '../../ports/audit-log.js'
import type { Log } from '../../ports/log.js'
import type { AuditingLog } from './log.js'

/** A custom log may not know whether its lines are written. */
export type AuditLinesLog = Log & Partial<AuditingLog>

/**
 * Writes a log line at `info` for each audit record; a higher log level drops them. The counts of the lines of
 * one shared record add up. Only a required record rejects if its line could not be written.
 */
export function createAuditLines(log: AuditLinesLog): AuditSink {
  return {
    append: async ({ event, actor, subject, outcome, count, address, requestId }, isRequired = false) => {
      const audit = {
        event,
        actor,
        outcome,
        ...(subject !== undefined && { subject }),
        ...(count !== undefined && { count }),
      }
      const fields = { audit, address, requestId }
      if (!isRequired || !log.keepAudit) log.info('audit', fields)
      else if (!(await log.keepAudit(fields))) throw new Error('the log does not take the record')
    },
  }
}
