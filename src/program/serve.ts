import cluster from 'node:cluster'
import { createLog, type AdjustableLog } from '../adapters/pino/index.js'
import { createSharedOutput, keepAuditOf, intoOutput } from './workers/shared-output.js'
import { OperatorError } from '../domain/refusal.js'
import type { StoreFlag } from '../adapters/oclif/command.js'
import { onLevelSignal } from '../adapters/oclif/signals.js'
import type { Settings } from '../configuration/derived.js'
import { hostMachine } from '../configuration/environment.js'
import { readConfiguration } from './read-configuration.js'
import type { Service, StartOptions } from './start.js'
import { startError } from './start-error.js'
import { standardOutput } from '../adapters/pino/output.js'
import type { SettingsSource } from '../configuration/from-environment.js'
import { createSupervisor, PAUSES, type Pauses, WATCH } from './workers/supervisor.js'
import { unexpectedError, WorkerEnded, type WorkerProcess } from './workers/worker-process.js'
import type { WorkersOptions } from './workers/workers-front.js'

const WORKERS_MAX = 128

/** Rejects with an `OperatorError` if an operator can correct the error. */
export async function serve({ store, ...rest }: StartOptions & StoreFlag): Promise<Service> {
  const { settings, warnings, source } = readConfiguration(store)
  const { logLevel, production } = settings
  const pretty = !production && process.stdout.isTTY
  const workers = numberOf(settings)
  // In production, no store is created by default, because an empty store in the wrong place would look as if all accounts were lost.
  const options = { ...rest, create: rest.create === true || !production }
  const output = workers > 1 ? createSharedOutput({ pretty }) : undefined
  const log = createLog({ level: logLevel, pretty, ...(output && { destination: output }) })
  onLevelSignal(() => log.setLevel(log.level() === 'debug' ? logLevel : 'debug'))
  for (const detail of warnings) log.warn('configuration', { detail })
  try {
    if (output) return await startPrimary(settings, { ...options, workers, source, log, output })
    // Not loaded if there are workers, because this process then handles no requests.
    const { startService } = await import('./single-process.js')
    return await startService(settings, log, options)
  } catch (error) {
    throw startError(error)
  }
}

const TWO_PRIMARIES = 'WORKERS must be 1 or auto if the service itself is a worker of node:cluster'

/** If this process is a worker of another program, such as PM2 in cluster mode, it starts no further workers. */
function numberOf({ workers }: Settings): number {
  if (cluster.isWorker) {
    if (workers === 'auto' || workers === 1) return 1
    throw new OperatorError([TWO_PRIMARIES])
  }
  return workers === 'auto' ? Math.min(hostMachine().cores, WORKERS_MAX) : workers
}

export type PrimaryOptions = WorkersOptions & {
  readonly source: SettingsSource
  readonly log: AdjustableLog
  readonly pauses?: Pauses
}

/** Starts the service in workers; this process does everything except handle requests. If the start fails, no worker is left. */
export async function startPrimary(settings: Settings, options: PrimaryOptions): Promise<Service> {
  const { workers, source, log, output, pauses = PAUSES } = options
  const errors = standardOutput(2)
  const supervisor = createSupervisor({
    workers,
    startOf: (worker) => ({ kind: 'start', worker, workers, source, logLevel: log.level() }),
    pauses,
    watch: WATCH,
    log,
    onFork: (worker) => {
      const { number, stdout, stderr } = worker
      keepAuditOf(worker, output)
      stderr.pipe(intoOutput(errors))
      void output.passOn(stdout, (beginning) =>
        log.warn('line cut off', { worker: number, detail: beginning }),
      )
    },
  })
  // The log level of this process has already changed.
  onLevelSignal(() => {
    for (const worker of supervisor.alive()) worker.tell({ kind: 'log-level', logLevel: log.level() })
  })
  // No worker outlives this process, even if a second signal ends this process.
  process.once('exit', () => supervisor.kill())
  try {
    // Imported only now, so that the workers load their modules at the same time.
    const { startWithWorkers } = await import('./workers/workers-front.js')
    return await Promise.race([startWithWorkers(settings, supervisor, options), endOfAny(supervisor.first)])
  } catch (error) {
    supervisor.kill()
    throw error instanceof WorkerEnded ? startErrorOf(error) : error
  }
}

function endOfAny(workers: readonly WorkerProcess[]): Promise<never> {
  const ends = workers.map(async ({ number, ended }) => {
    throw new WorkerEnded(number, await ended)
  })
  return Promise.race(ends)
}

/** Returns the worker's error as if it had occurred in a service without workers. */
function startErrorOf({ worker, ending, message }: WorkerEnded): Error {
  if (ending.sentences.length > 0) return new OperatorError(ending.sentences)
  const error = unexpectedError(ending) ?? new Error(message)
  error.name = `Worker ${worker}`
  return error
}
