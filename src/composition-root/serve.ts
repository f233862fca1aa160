import { createLog } from '../adapters/pino/index.js'
import { CommandFault } from '../adapters/oclif/command-context.js'
import { onLevelSignal } from '../adapters/oclif/signals.js'
import { isRefusal } from '../domain/refusal.js'
import { listeningFault } from './listening-error.js'
import { readSetup } from './setup.js'
import { startService, type Service, type StartOptions } from './start.js'

/** Starts the service as the environment says; what stands in the way becomes a `CommandFault`. */
export async function serve(options: StartOptions): Promise<Service> {
  const { configuration, warnings } = readSetup()
  const { logLevel, production } = configuration
  const log = createLog({ level: logLevel, pretty: !production && process.stdout.isTTY })
  onLevelSignal(() => {
    log.setLevel(log.level() === 'debug' ? logLevel : 'debug')
  })
  for (const detail of warnings) log.warn('configuration', { detail })
  try {
    return await startService(configuration, log, options)
  } catch (error) {
    throw startFault(error)
  }
}

/** Faults that an operator can mend are told in a sentence; anything else keeps its stack. */
function startFault(error: unknown): unknown {
  if (isRefusal(error)) return new CommandFault([error.detail ?? error.message])
  return listeningFault(error, { host: 'HOST', port: 'PORT' }) ?? error
}
