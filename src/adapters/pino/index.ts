export { createLog, type LogOptions } from './log.js'
