import { standardOutput } from '../adapters/pino/output.js'
import { asText } from '../adapters/pino/readable-line.js'
import { SILENT_LOG, type Log, type LogFields, type LogLevel } from '../ports/log.js'

const write = (level: LogLevel) => (event: string, fields?: LogFields) => {
  standardOutput(2).write(asText({ at: Date.now(), level, event, fields }))
}

/** The default log: writes warnings and errors to standard error in readable lines. */
export const STANDARD_ERROR_LOG: Log = {
  ...SILENT_LOG,
  warn: write('warn'),
  error: write('error'),
  enabled: (level) => level === 'warn' || level === 'error',
}
