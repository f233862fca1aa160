import type { AuditSink } from '../../ports/audit-log.js'
import type { Log } from '../../ports/log.js'
import type { AuditingLog } from './log.js'

/** A log; a custom log may not know whether its lines are written. */
export type AuditLinesLog = Log & Partial<AuditingLog>

/**
 * Writes a log line at level `info` for each audit record; if the log level is higher, the lines are dropped. If several lines belong to
 * one combined record, the record's count is the sum of their counts. A call rejects only if the record is required and its line could not
 * be written.
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
      else if (!(await log.keepAudit(fields))) throw new Error('the log does not accept the record')
    },
  }
}
