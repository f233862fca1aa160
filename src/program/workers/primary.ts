import { OperatorError } from '../../domain/operator-error.js'
import { onLevelSignal } from '../signals.js'
import type { AdjustableLog } from '../../adapters/pino/index.js'
import { standardOutput } from '../../adapters/pino/output.js'
import { intoOutput, type SharedOutput } from './shared-output.js'
import type { Settings } from '../../configuration/derived.js'
import type { SettingsSource } from '../../configuration/from-environment.js'
import type { Background } from '../../composition-root/background.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { Log } from '../../ports/log.js'
import type { Service, StartOptions } from '../start.js'
import type { Upkeep } from '../upkeep.js'
import type { ToWorker } from './messages.js'
import type { WorkersMetering } from './metering.js'
import { createSharedSocket, type SharedSocket } from './shared-socket.js'
import { createSupervisor, PAUSES, type Pauses, type Supervisor } from './supervisor.js'
import { WATCH } from './watchdog.js'
import { unexpectedError, WorkerEnded, type WorkerProcess } from './worker-process.js'

export type PrimaryOptions = StartOptions & {
  readonly workers: number
  readonly source: SettingsSource
  readonly log: AdjustableLog
  /** Where the log writes, and where the lines of the workers go. */
  readonly output: SharedOutput
  readonly pauses?: Pauses
}

/** How long the reader of the log has at the end for lines that it has not taken yet, if SHUTDOWN_GRACE is not over before. */
const FLUSH_TIME: Milliseconds = 5_000

/**
 * Starts the service in several processes: this one, which does what is to be done once, and workers, which answer
 * requests. Rejects where that is impossible, with nothing left open and no worker left.
 */
export async function startPrimary(settings: Settings, options: PrimaryOptions): Promise<Service> {
  const { workers, source, log, output, pauses = PAUSES } = options
  const errors = standardOutput(2)
  const supervisor = createSupervisor({
    workers,
    startOf: (worker) => ({ kind: 'start', worker, workers, source, logLevel: log.level() }),
    pauses,
    watch: WATCH,
    log,
    onFork: ({ number, stdout, stderr }) => {
      stderr.pipe(intoOutput(errors))
      void output.passOn(stdout, (beginning) => {
        log.warn('line cut off', { worker: number, detail: beginning })
      })
    },
  })
  // After the log of this process has followed it.
  onLevelSignal(() => {
    for (const worker of supervisor.alive()) worker.tell({ kind: 'log-level', logLevel: log.level() })
  })
  // However this process ends, a second signal included, no worker is left.
  process.once('exit', () => {
    supervisor.kill()
  })
  try {
    return await Promise.race([startAll(settings, supervisor, options), endOfAny(supervisor.first)])
  } catch (error) {
    supervisor.kill()
    throw error instanceof WorkerEnded ? startErrorOf(error) : error
  }
}

/** Rejects when one of them ends. */
function endOfAny(workers: readonly WorkerProcess[]): Promise<never> {
  const ends = workers.map(async ({ number, ended }) => {
    throw new WorkerEnded(number, await ended)
  })
  return Promise.race(ends)
}

/** What the worker would have told an operator, had it been the service. */
function startErrorOf({ worker, ending, message }: WorkerEnded): Error {
  if (ending.sentences.length > 0) return new OperatorError(ending.sentences)
  const error = unexpectedError(ending) ?? new Error(message)
  error.name = `Worker ${worker}`
  return error
}

/** The metrics and the socket first, as in one process; then the store, and then everything that hangs on both. */
async function startAll(
  settings: Settings,
  supervisor: Supervisor,
  { workers, log, output, importing, create = true }: PrimaryOptions,
): Promise<Service> {
  // Loaded while the workers load their part.
  const [{ startWorkersMetering }, { openUpkeep }] = await Promise.all([
    import('./metering.js'),
    import('../upkeep.js'),
  ])
  const metering = await startWorkersMetering(settings, workers, log)
  for (const worker of supervisor.first) metering?.take(worker)
  const socket = createSharedSocket(settings.port)
  const address = await socket.listen(supervisor.first[0])
  const publicUrl = settings.publicUrl ?? address
  const parts = { log, metrics: metering?.metrics, workers }
  const upkeep = await openUpkeep(settings, { publicUrl, importing, create }, parts)
  const open = { kind: 'open', publicUrl, passphrase: upkeep.passphrase } as const
  const background = await answerWithAll(supervisor, { socket, open, upkeep, metering, log })
  log.info('ready', { address, count: workers })
  let stopping: Promise<void> | undefined
  const opened = { supervisor, background, upkeep, metering, log, output }
  return { address, stop: () => (stopping ??= stop(opened, settings.shutdownGrace)) }
}

type Terms = {
  readonly socket: SharedSocket
  readonly open: Extract<ToWorker, { kind: 'open' }>
  readonly upkeep: Upkeep
  readonly metering: WorkersMetering | undefined
  readonly log: Log
}

/** Has all workers answer requests, once each of them could; and from then on those that take their places. */
async function answerWithAll(
  supervisor: Supervisor,
  { socket, open, upkeep, metering, log }: Terms,
): Promise<Background> {
  const { first } = supervisor
  await Promise.all(first.map((worker) => worker.ask(open, 'opened')))
  await Promise.all(first.slice(1).map((worker) => socket.listen(worker)))
  const background = upkeep.startBackground()
  const tellReady = ({ number: worker, pid }: WorkerProcess) => {
    log.info('worker ready', { worker, detail: `pid ${pid}` })
  }
  const serve = (worker: WorkerProcess) => {
    worker.on('mail-queued', () => {
      background.wakeMailing()
    })
    worker.tell({ kind: 'serve' })
  }
  first.forEach(serve)
  first.forEach(tellReady)
  supervisor.keepAlive(async (worker) => {
    metering?.take(worker)
    await worker.ask(open, 'opened')
    // It listens last: until it answers, connections are better with the others.
    serve(worker)
    await socket.listen(worker)
    tellReady(worker)
  })
  return background
}

type Opened = {
  readonly supervisor: Supervisor
  readonly background: Background
  readonly upkeep: Upkeep
  readonly metering: WorkersMetering | undefined
  readonly log: Log
  readonly output: SharedOutput
}

async function stop(
  { supervisor, background, upkeep, metering, log, output }: Opened,
  grace: Milliseconds,
): Promise<void> {
  const end = performance.now() + grace
  const timeLeft = () => Math.max(0, Math.min(FLUSH_TIME, Math.ceil(end - performance.now())))
  log.info('stopping')
  await supervisor.stop(grace)
  await background.end()
  await upkeep.close()
  await metering?.close()
  await output.flushed(timeLeft())
  log.info('stopped')
  await output.flushed(timeLeft())
}
