/** Entry point `kennel-id/pino`: the log, and audit records as log lines. */
export { createAuditLines } from './audit-lines.js'
export { createLog, type AdjustableLog } from './log.js'
