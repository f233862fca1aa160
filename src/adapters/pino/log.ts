import { pino } from 'pino'
import type { Log, LogFields, LogLevel } from '../../ports/log.js'
import { standardOutput, type Output } from './output.js'
import { asText, isoTime, type Line } from './readable-line.js'
import { writtenFields } from './written-fields.js'

/** What is written, in which form, and where. */
export type LogOptions = {
  /** Nothing below it is written; `silent` writes nothing at all. */
  readonly level: LogLevel | 'silent'
  /** For the eyes of a developer; else one JSON object a line. */
  readonly pretty: boolean
  /** A file descriptor, or a sink that gets each line as it is written; standard output by default. */
  readonly destination?: 1 | 2 | LineSink
  /** Stands in every JSON line as the field `worker`: the number of this process among those of one service. */
  readonly worker?: number
}

/** A log whose level can be changed while it is in use. */
export type AdjustableLog = Log & {
  /** The level of now. */
  level(): LogLevel | 'silent'
  /** Tells of the new level with a line `log level`, whatever the level was and will be. */
  setLevel(level: LogLevel | 'silent'): void
  /** The same without a line: another process of the service tells of it. */
  followLevel(level: LogLevel | 'silent'): void
}

/**
 * A log that loses no line when the process ends, by `exit`, by a signal that it handles or by an
 * error: lines at `warn` and `error`, those with an audit record and those of no request, such as
 * `ready`, are written before the call returns; all others within 10 milliseconds, together. Only
 * what ends a process without its knowledge (SIGKILL, a loss of power) may cost lines of that time.
 * No call waits for a reader that has stalled, or for a full disk: up to 1 MiB waits in memory, further
 * lines are dropped, and one line says how many when the reader is back. A reader that went away (EPIPE)
 * ends the writing, not the process.
 */
export function createLog({ level, pretty, destination = 1, worker }: LogOptions): AdjustableLog {
  const isDescriptor = typeof destination === 'number'
  const sink: LineSink = isDescriptor ? standardOutput(destination) : destination
  const writer = isDescriptor ? gathered(standardOutput(destination)) : ungathered(destination)
  const deferral = isDescriptor ? createDeferral<Line> : undeferred<Line>
  let at = 0
  const options = {
    level,
    messageKey: 'event',
    base: worker === undefined ? null : { worker },
    timestamp: () => `,"time":"${isoTime(at)}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const logger = pino(options, writer)
  const { add, flush } = deferral((lines) => {
    for (const line of lines) {
      at = line.at
      if (pretty) writer.write(asText(line))
      else logger[line.level](writtenFields(line.fields), line.event)
    }
    writer.flush()
  })
  const write = (level: LogLevel) => (event: string, fields?: LogFields) => {
    if (!logger.isLevelEnabled(level)) return
    add({ at: Date.now(), level, event, fields })
    if (isUrgent(level, fields)) flush()
  }
  const info = write('info')
  const warn = write('warn')
  sink.onResumed?.((count) => {
    warn('log lines dropped', { count })
  })
  const followLevel = (next: LogLevel | 'silent') => {
    flush()
    logger.level = next
  }
  return {
    debug: write('debug'),
    info,
    warn,
    error: write('error'),
    enabled: (at) => logger.isLevelEnabled(at),
    level: () => logger.level as LogLevel | 'silent',
    followLevel,
    setLevel: (next) => {
      followLevel('info')
      info('log level', { detail: next })
      followLevel(next)
    },
  }
}

/** An error is written as it is now, since the code that threw it may change it afterwards. */
function isUrgent(level: LogLevel, fields: LogFields | undefined): boolean {
  if (level === 'warn' || level === 'error' || fields?.requestId === undefined) return true
  return fields.audit !== undefined || fields.error !== undefined
}

/** Takes whole lines, each with its line end. */
export type LineSink = {
  /** What it answers is not looked at. */
  write(line: string): unknown
  /** Calls `hear` with the number of lines that it dropped, if it drops any, when it takes lines again. */
  onResumed?(hear: (dropped: number) => void): void
}

/** Takes lines, and writes them all at once when it is told to. */
type LineWriter = LineSink & { flush(): void }

/** Hands each line over as it comes. */
function ungathered(sink: LineSink): LineWriter {
  return { write: (line) => sink.write(line), flush: () => undefined }
}

/** Gathers lines: a write costs more than a line. */
function gathered(output: Output): LineWriter {
  let lines = ''
  return {
    write: (line) => {
      lines += line
    },
    flush: () => {
      const all = lines
      lines = ''
      if (all !== '') output.write(all)
    },
  }
}

/** For how long something is put off at most, in milliseconds. */
const TIME = 10
/** How many are put off at most. */
const COUNT = 200

/** Puts work off, and does it in order. */
type Deferral<T> = {
  readonly add: (item: T) => void
  /** Does now what was put off. */
  readonly flush: () => void
}

type Work<T> = (items: readonly T[]) => void

/** Puts nothing off. */
function undeferred<T>(work: Work<T>): Deferral<T> {
  return {
    add: (item) => {
      work([item])
    },
    flush: () => undefined,
  }
}

/**
 * Does many small pieces of work in one go, within 10 ms, and at the end of the process at the latest: between
 * two requests each would cost several times as much, because nothing that it needs is at hand there.
 */
function createDeferral<T>(work: Work<T>): Deferral<T> {
  let items: T[] = []
  let due: NodeJS.Timeout | undefined
  const flush = () => {
    if (items.length === 0) return
    clearTimeout(due)
    const all = items
    items = []
    work(all)
  }
  process.on('exit', flush)
  return {
    add: (item) => {
      if (items.length === 0) due = setTimeout(flush, TIME)
      items.push(item)
      if (items.length >= COUNT) flush()
    },
    flush,
  }
}
