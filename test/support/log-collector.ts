import { inspect } from 'node:util'
import type { Log, LogFields, LogLevel } from '../../src/ports/log.js'

export type Line = { readonly level: LogLevel; readonly event: string; readonly fields: LogFields }

const REQUEST_EVENTS = ['request', 'request aborted']

/** A log at its most verbose level that stores every line: request lines in `requests`, and all other lines in `lines`. */
export function collectingLog() {
  const lines: Line[] = []
  const requests: Line[] = []
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      const kept = REQUEST_EVENTS.includes(event) ? requests : lines
      kept.push({ level, event, fields: present(fields) })
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
    requests,
    /** Returns all lines as text: errors with their stacks, causes and properties. */
    text: () =>
      inspect([...lines, ...requests], { depth: null, maxStringLength: null, maxArrayLength: null }),
  }
}

function present(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
