import { inspect } from 'node:util'
import type { Log, LogFields, LogLevel } from '../../src/ports/log.js'

export type Line = { readonly level: LogLevel; readonly event: string; readonly fields: LogFields }

const REQUEST_EVENTS = ['request', 'request aborted']

/** A log at its most talkative level that keeps every line: `lines`, and apart from them the one of each request. */
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
    /** All of it as text: errors with their stacks, causes and members. */
    text: () =>
      inspect([...lines, ...requests], { depth: null, maxStringLength: null, maxArrayLength: null }),
  }
}

/** What a line would have of them. */
function present(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
