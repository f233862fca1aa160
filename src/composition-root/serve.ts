import { createLog } from '../adapters/pino/index.js'
import { CommandError, type StoreFlag } from '../adapters/oclif/command-context.js'
import { onLevelSignal } from '../adapters/oclif/signals.js'
import { isRefusal } from '../domain/refusal.js'
import { listeningError } from './listening.js'
import { readSetup } from './setup.js'
import { startService, type Service, type StartOptions } from './start.js'

/** Starts the service as the environment says; what stands in the way becomes a `CommandError`. */
export async function serve({ store, ...options }: StartOptions & StoreFlag): Promise<Service> {
  const { configuration, warnings } = readSetup(store)
  const { logLevel, production } = configuration
  const log = createLog({ level: logLevel, pretty: !production && process.stdout.isTTY })
  onLevelSignal(() => {
    log.setLevel(log.level() === 'debug' ? logLevel : 'debug')
  })
  for (const detail of warnings) log.warn('configuration', { detail })
  try {
    return await startService(configuration, log, options)
  } catch (error) {
    throw startError(error)
  }
}

/** Errors that an operator can correct are told in a sentence; anything else keeps its stack. */
function startError(error: unknown): unknown {
  if (isRefusal(error)) return new CommandError([error.detail ?? error.message])
  return listeningError(error, { host: 'host', port: 'port' }) ?? error
}
