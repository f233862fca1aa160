import { pino } from 'pino'
import type { Log, LogFields, LogLevel } from '../../ports/log.js'
import { standardOutput } from './output.js'
import { asText, isoTime, type Line } from './readable-line.js'
import { writtenFields } from './written-fields.js'

/** The content and the destination of a log. */
export type LogOptions = {
  /** The lowest level that is written; `silent` writes nothing. */
  readonly level: LogLevel | 'silent'
  /** Text for a developer instead of one JSON object on each line. */
  readonly pretty: boolean
  /** A file descriptor, or a sink for the lines; standard output by default. */
  readonly destination?: 1 | 2 | LineSink
  /** The field `worker` of every JSON line: the number of this process in the service. */
  readonly worker?: number
  /** Keeps audit records instead of the destination, for a process whose lines another process passes on. */
  readonly keeper?: AuditKeeper
}

/** Writes lines that must not be lost. */
export type AuditKeeper = {
  /** Resolves with `false` if the line, with its line end, could not be written. */
  keep(line: string): Promise<boolean>
  /** Whether no audit record is being lost. */
  isKeeping(): boolean | Promise<boolean>
}

/** A log that knows whether audit records are written. */
export type AuditingLog = Log & {
  /** Writes a line `audit` at `info` that must not be lost; resolves with `false` if it could not be written. */
  keepAudit(fields: LogFields): Promise<boolean>
  /** Whether no audit record is being lost. */
  isKeepingAudit(): Promise<boolean>
}

/** A log with a changeable level. */
export type AdjustableLog = AuditingLog & {
  /** The current level. */
  level(): LogLevel | 'silent'
  /** Always writes a line `log level`, at any level. */
  setLevel(level: LogLevel | 'silent'): void
  /** The same without a line, which another process of the service writes. */
  followLevel(level: LogLevel | 'silent'): void
}

/**
 * A log that loses no line when the process ends by `exit`, by a handled signal or by an error. Lines at `warn`
 * and `error`, audit records and lines without a request, such as `ready`, are written before the call returns;
 * all others together within 10 milliseconds. Only SIGKILL or a power failure can lose lines of that time.
 *
 * No call waits for a stalled reader or a full disk: 1 MiB waits in memory, further lines are dropped, and one
 * line reports their number later. A closed reader (EPIPE) ends the writing, not the process.
 */
export function createLog({ level, pretty, destination = 1, worker, keeper }: LogOptions): AdjustableLog {
  const isDescriptor = typeof destination === 'number'
  const sink: LineSink = isDescriptor ? standardOutput(destination) : destination
  const [writer, keeping] = [gathered(sink), keeper ?? keeperOf(sink)]
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

/** Errors are written immediately, because the code that threw an error may change it. */
function isUrgent(level: LogLevel, fields: LogFields | undefined): boolean {
  if (level === 'warn' || level === 'error' || fields?.requestId === undefined) return true
  return fields.audit !== undefined || fields.error !== undefined
}

/** Takes whole lines with their line ends. */
export type LineSink = Partial<AuditKeeper> & {
  /** The result is ignored. */
  write(line: string): unknown
  /** Calls `hear` with the number of dropped lines when it accepts lines again. */
  onResumed?(hear: (dropped: number) => void): void
}

/** A sink that knows nothing about its lines is assumed to keep them. */
function keeperOf(sink: LineSink): AuditKeeper {
  const write = async (line: string) => {
    await sink.write(line)
    return true
  }
  return { keep: sink.keep?.bind(sink) ?? write, isKeeping: sink.isKeeping?.bind(sink) ?? (() => true) }
}

/** Collects lines, because a write costs more than a line. */
function gathered(sink: LineSink) {
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
    /** Writes the collected lines. */
    flush: () => {
      const all = take()
      if (all !== '') sink.write(all)
    },
  }
}

/** The longest delay in milliseconds. */
const TIME = 10
/** The largest number of delayed items. */
const COUNT = 200

/**
 * Runs many small pieces of work together and in order, within 10 ms: between two requests each would cost
 * several times as much, because its code and data are not in the caches. An urgent item waits for nothing.
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
