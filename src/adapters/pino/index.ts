export { createAuditLines } from './audit-lines.js'
export { createLog, type AdjustableLog } from './log.js'
