import type { Log, LogFields, LogLevel } from '../../../src/ports/log.js'
import { inspect } from 'node:util'

export type Line = { readonly level: LogLevel; readonly event: string; readonly fields: LogFields }

/** A log that keeps every line, of every level. */
export function createRecordedLog(): { readonly log: Log; readonly lines: Line[]; text(): string } {
  const lines: Line[] = []
  const keep =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      lines.push({ level, event, fields })
    }
  const log: Log = {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    enabled: () => true,
  }
  return { log, lines, text: () => inspect(lines, { depth: 20, maxStringLength: null, showHidden: true }) }
}
