import { pino } from 'pino'
import type { Log, LogFields, LogLevel } from '../../ports/log.js'
import { standardOutput } from './output.js'
import { asText, isoTime, type Line, writtenFields } from './written-line.js'

/** Options that select the content and the destination of a log. */
export type LogOptions = {
  /** The lowest level that is written; with `silent`, nothing is written. */
  readonly level: LogLevel | 'silent'
  /** Whether the log contains readable text instead of one JSON object per line. */
  readonly pretty: boolean
  /** A file descriptor or a sink for the lines; standard output by default. */
  readonly destination?: 1 | 2 | LineSink
  /** The value of the field `worker` in every JSON line: this process's number in the service. */
  readonly worker?: number
  /** Writes the audit records instead of the destination, in a process that sends its other lines to another process. */
  readonly keeper?: AuditKeeper
}

/** Writes lines that must not be lost. */
export type AuditKeeper = {
  /** Resolves with `false` if the line, including its line break, could not be written. */
  keep(line: string): Promise<boolean>
  /** Returns whether all audit records are currently being written. */
  isKeeping(): boolean | Promise<boolean>
}

/** A log that reports whether audit records could be written. */
export type AuditingLog = Log & {
  /** Writes an `audit` line at level `info` that must not be lost; resolves with `false` if the line could not be written. */
  keepAudit(fields: LogFields): Promise<boolean>
  /** Returns whether all audit records are currently being written. */
  isKeepingAudit(): Promise<boolean>
}

/** A log whose level can be changed. */
export type AdjustableLog = AuditingLog & {
  /** The current level. */
  level(): LogLevel | 'silent'
  /** Sets the level and always writes a `log level` line, regardless of the level. */
  setLevel(level: LogLevel | 'silent'): void
  /** Sets the level without writing a line, because another process of the service writes the line. */
  followLevel(level: LogLevel | 'silent'): void
}

/**
 * Creates a log that loses no line when the process ends, whether by `exit`, by a handled signal or by an error. Lines at `warn` and
 * `error`, audit records and lines without a request, such as `ready`, are written before the call returns; all other lines are written
 * together within 10 milliseconds. Only SIGKILL or a power failure can lose lines that were logged in the last 10 milliseconds.
 *
 * No call waits for a stalled reader or a full disk: up to 1 MiB is buffered in memory, and a later line reports how many further lines
 * were dropped. If the reader closes the pipe (EPIPE), the log stops writing, but the process continues.
 */
export function createLog({ level, pretty, destination = 1, worker, keeper }: LogOptions): AdjustableLog {
  const isDescriptor = typeof destination === 'number'
  const sink: LineSink = isDescriptor ? standardOutput(destination) : destination
  const [writer, keeping] = [batchLines(sink), keeper ?? keeperOf(sink)]
  let at = 0
  const options = {
    level,
    messageKey: 'event',
    base: worker === undefined ? null : { worker },
    timestamp: () => `,"time":"${isoTime(at)}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const logger = pino(options, writer)
  const compose = (line: Line) => {
    at = line.at
    if (pretty) writer.write(asText(line))
    else logger[line.level](writtenFields(line.fields), line.event)
  }
  const { add, flush } = createDeferral<Line>((lines) => {
    lines.forEach(compose)
    writer.flush()
  })
  if (isDescriptor) process.on('exit', flush)
  const write = (level: LogLevel) => (event: string, fields?: LogFields) => {
    if (!logger.isLevelEnabled(level)) return
    add({ at: Date.now(), level, event, fields }, !isDescriptor || isUrgent(level, fields))
  }
  const [info, warn] = [write('info'), write('warn')]
  sink.onResumed?.((count) => warn('log lines dropped', { count }))
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
    keepAudit: async (fields) => {
      if (!logger.isLevelEnabled('info')) return false
      flush()
      compose({ at: Date.now(), level: 'info', event: 'audit', fields })
      return await keeping.keep(writer.take())
    },
    isKeepingAudit: async () => await keeping.isKeeping(),
    level: () => logger.level as LogLevel | 'silent',
    followLevel,
    setLevel: (next) => {
      followLevel('info')
      info('log level', { detail: next })
      followLevel(next)
    },
  }
}

/** Errors are written immediately, because the code that threw an error may modify it later. */
function isUrgent(level: LogLevel, fields: LogFields | undefined): boolean {
  if (level === 'warn' || level === 'error' || fields?.requestId === undefined) return true
  return fields.audit !== undefined || fields.error !== undefined
}

/** A destination that receives whole lines including their line breaks. */
export type LineSink = Partial<AuditKeeper> & {
  /** Writes one or more lines; the return value is ignored. */
  write(line: string): unknown
  /** Registers the callback `hear`, which receives the number of dropped lines when the sink accepts lines again. */
  onResumed?(hear: (dropped: number) => void): void
}

/** If a sink cannot tell whether its lines are written, the log assumes that all lines are written. */
function keeperOf(sink: LineSink): AuditKeeper {
  const write = async (line: string) => {
    await sink.write(line)
    return true
  }
  return { keep: sink.keep?.bind(sink) ?? write, isKeeping: sink.isKeeping?.bind(sink) ?? (() => true) }
}

/** Collects lines, because a write call costs more than formatting a line. */
function batchLines(sink: LineSink) {
  let lines = ''
  const take = () => {
    const all = lines
    lines = ''
    return all
  }
  return {
    write: (line: string) => {
      lines += line
    },
    take,
    flush: () => {
      const all = take()
      if (all !== '') sink.write(all)
    },
  }
}

const TIME = 10
const COUNT = 200

/**
 * Collects items, and processes them together and in order within 10 ms. Processing each item separately between two requests would cost
 * several times as much, because its code and data would not be in the CPU caches. An urgent item is processed immediately.
 */
function createDeferral<T>(work: (items: readonly T[]) => void) {
  let items: T[] = []
  let due: NodeJS.Timeout | undefined
  const flush = () => {
    if (items.length === 0) return
    clearTimeout(due)
    const all = items
    items = []
    work(all)
  }
  const add = (item: T, isUrgent: boolean) => {
    items.push(item)
    if (isUrgent || items.length >= COUNT) flush()
    else if (items.length === 1) due = setTimeout(flush, TIME)
  }
  return { add, flush }
}
