import { createLog } from '../adapters/pino/index.js'
import { CommandFault } from '../adapters/oclif/operation.js'
import { isRefusal } from '../domain/refusal.js'
import { readSetup } from './setup.js'
import { startService, type Service } from './start.js'

/** Starts the service as the environment says; what stands in the way becomes a `CommandFault`. */
export async function serve(): Promise<Service> {
  const { configuration, warnings } = readSetup()
  const { logLevel, production } = configuration
  const log = createLog({ level: logLevel, pretty: !production && process.stdout.isTTY })
  for (const detail of warnings) log.warn('configuration', { detail })
  try {
    return await startService(configuration, log)
  } catch (error) {
    throw startFault(error)
  }
}

/** Faults that an operator can mend are told in a sentence; anything else keeps its stack. */
function startFault(error: unknown): unknown {
  if (isRefusal(error)) return new CommandFault([error.detail ?? error.message])
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new CommandFault(['HOST and PORT: this address is in use by another process'])
  if (code === 'EACCES') return new CommandFault(['HOST and PORT: no permission to listen at this address'])
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CommandFault(['HOST: this machine does not have that address'])
  }
  return error
}
