export { createAuditLines } from './audit-lines.js'
export { createLog, type LogOptions } from './log.js'
