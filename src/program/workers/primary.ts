import { OperatorError } from '../../domain/refusal.js'
import { onLevelSignal } from '../../adapters/oclif/signals.js'
import type { AdjustableLog } from '../../adapters/pino/index.js'
import { standardOutput } from '../../adapters/pino/output.js'
import type { Settings } from '../../configuration/derived.js'
import type { SettingsSource } from '../../configuration/from-environment.js'
import type { Service } from '../start.js'
import { keepAuditOf } from './audit-relay.js'
import { intoOutput } from './shared-output.js'
import { createSupervisor, PAUSES, type Pauses } from './supervisor.js'
import { WATCH } from './watchdog.js'
import { unexpectedError, WorkerEnded, type WorkerProcess } from './worker-process.js'
import type { WorkersOptions } from './workers-front.js'

/** Options of the process that starts and supervises the workers. */
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
    const { startWithWorkers } = await import('./workers-front.js')
    return await Promise.race([startWithWorkers(settings, supervisor, options), endOfAny(supervisor.first)])
  } catch (error) {
    supervisor.kill()
    throw error instanceof WorkerEnded ? startErrorOf(error) : error
  }
}

/** Rejects when any of these workers ends. */
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
