import type { Log, LogFields, LogLevel } from '../../ports/log.js'
import { createDeferral, undeferred } from './deferred.js'
import { createLineWriter, ungathered, type LineSink } from './line-writer.js'
import { asJson, asText, type Line } from './written-line.js'

/** What is written, in which form, and where. */
export type LogOptions = {
  /** Nothing below it is written; `silent` writes nothing at all. */
  readonly level: LogLevel | 'silent'
  /** For the eyes of a developer; else one JSON object a line. */
  readonly pretty: boolean
  /** A file descriptor, or a sink that gets each line as it is written; standard output by default. */
  readonly destination?: 1 | 2 | LineSink
}

/** A log whose level can be changed while it is in use. */
export type AdjustableLog = Log & {
  /** The level of now. */
  level(): LogLevel | 'silent'
  /** Tells of the new level with a line `log level`, whatever the level was and will be. */
  setLevel(level: LogLevel | 'silent'): void
}

/**
 * A log that loses no line when the process ends, by `exit`, by a signal that it handles or by an
 * error: lines at `warn` and `error` and those with an audit record are written before the call
 * returns, all others within 10 milliseconds, together. Only what ends a process without its
 * knowledge (SIGKILL, a loss of power) may cost lines of that time.
 * A reader that went away (EPIPE) and a full disk end or interrupt the writing, not the process.
 */
export function createLog({ level, pretty, destination = 1 }: LogOptions): AdjustableLog {
  const writer = typeof destination === 'number' ? createLineWriter(destination) : ungathered(destination)
  const deferral = typeof destination === 'number' ? createDeferral<Line> : undeferred<Line>
  const form = pretty ? asText : asJson
  let least = known(level)
  const enabled = (one: LogLevel) => WEIGHTS[one] >= WEIGHTS[least]
  const { add, flush } = deferral((lines) => {
    for (const line of lines) writer.write(form(line))
    writer.flush()
  })
  const write = (level: LogLevel) => (event: string, fields?: LogFields) => {
    if (!enabled(level)) return
    add({ at: Date.now(), level, event, fields })
    if (isUrgent(level, fields)) flush()
  }
  const info = write('info')
  return {
    debug: write('debug'),
    info,
    warn: write('warn'),
    error: write('error'),
    enabled,
    level: () => least,
    setLevel: (next) => {
      known(next)
      least = 'info'
      info('log level', { detail: next })
      flush()
      least = next
    },
  }
}

const WEIGHTS: Readonly<Record<LogOptions['level'], number>> = {
  debug: 1,
  info: 2,
  warn: 3,
  error: 4,
  silent: 5,
}

/** A caller from JavaScript may have mistyped it, and would miss his lines. */
function known(level: LogOptions['level']): LogOptions['level'] {
  if (!Object.hasOwn(WEIGHTS, level)) throw new TypeError(`There is no level ${level} of the log.`)
  return level
}

/** An error is written as it is now, since the code that threw it may change it afterwards. */
function isUrgent(level: LogLevel, fields: LogFields | undefined): boolean {
  return level === 'warn' || level === 'error' || fields?.audit !== undefined || fields?.error !== undefined
}
