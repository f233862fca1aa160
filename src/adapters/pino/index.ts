export { createAuditLines } from './audit-lines.js'
export type { LineSink } from './line-writer.js'
export { createLog, type AdjustableLog, type LogOptions } from './log.js'
