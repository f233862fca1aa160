import cluster from 'node:cluster'
import { createLog } from '../adapters/pino/index.js'
import { createSharedOutput } from './workers/shared-output.js'
import { OperatorError } from '../domain/refusal.js'
import type { StoreFlag } from '../adapters/oclif/command-context.js'
import { onLevelSignal } from '../adapters/oclif/signals.js'
import type { Settings } from '../configuration/derived.js'
import { hostMachine } from '../configuration/environment.js'
import { readConfiguration } from './read-configuration.js'
import type { Service, StartOptions } from './start.js'
import { startError } from './start-error.js'
import { startPrimary } from './workers/primary.js'

/** Maximum number of workers; no machine benefits from more. */
const WORKERS_MAX = 128

/**
 * Starts the service with the configuration from the environment. Rejects with an `OperatorError` if an operator can correct the error.
 */
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
