export { createAuditLines } from './audit-lines.js'
export { createLog, type LineSink, type LogOptions } from './log.js'
