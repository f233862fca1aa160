import { pino } from 'pino'
import type { Log, LogFields, LogLevel } from '../../ports/log.js'
import { loadPretty } from './pretty.js'
import { writtenFields } from './written-fields.js'

/** Takes whole lines, each with its line end. */
export type LineSink = {
  /** What it answers is not looked at. */
  write(line: string): unknown
}

/** What is written, in which form, and where. */
export type LogOptions = {
  /** Nothing below it is written; `silent` writes nothing at all. */
  readonly level: LogLevel | 'silent'
  /** For the eyes of a developer; else one JSON object a line. */
  readonly pretty: boolean
  /** A file descriptor or a sink; standard output by default. */
  readonly destination?: 1 | 2 | LineSink
}

/**
 * A log whose lines are written before the call returns, so that none is lost when the process
 * ends. A reader that went away (EPIPE) ends the writing, not the process.
 */
export function createLog({ level, pretty, destination = 1 }: LogOptions): Log {
  const sink =
    typeof destination === 'number' ? pino.destination({ dest: destination, sync: true }) : destination
  const options = {
    level,
    messageKey: 'event',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const logger = pino(options, { write: pretty ? prettySink(sink) : (line) => void sink.write(line) })
  const write = (at: LogLevel) => (event: string, fields?: LogFields) => {
    if (logger.isLevelEnabled(at)) logger[at](writtenFields(fields), event)
  }
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    enabled: (at) => logger.isLevelEnabled(at),
  }
}

function prettySink(sink: LineSink): (line: string) => void {
  const pretty = loadPretty()
  return (line) => void sink.write(pretty(line))
}
