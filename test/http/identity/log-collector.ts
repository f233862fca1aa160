import { inspect } from 'node:util'
import type { Log, LogFields, LogLevel } from '../../../src/ports/log.js'

export type Line = { readonly level: LogLevel; readonly event: string; readonly fields: LogFields }

/** A log at its most talkative level that keeps every line. */
export function collectingLog() {
  const lines: Line[] = []
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      lines.push({ level, event, fields })
    }
  const log: Log = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    enabled: () => true,
  }
  return {
    log,
    lines,
    /** All of it as text: errors with their stacks, causes and members. */
    text: () => inspect(lines, { depth: null, maxStringLength: null, maxArrayLength: null }),
  }
}
