import { passphraseFault, passphraseWarning } from '../adapters/keyring/index.js'
import { CommandFault } from '../adapters/oclif/command-context.js'
import { loadConfiguration, type Configuration } from '../configuration/configuration.js'

/** Everything that is read before anything is opened. */
export type Setup = {
  readonly configuration: Configuration
  /** Sentences for the operator; none holds a value. */
  readonly warnings: readonly string[]
}

/** Reads the configuration, permissions included; throws one `CommandFault` with every fault of it. */
export function readSetup(): Setup {
  const outcome = loadConfiguration({ passphraseFault, passphraseWarning })
  if (!outcome.ok) throw new CommandFault(outcome.faults)
  return outcome
}
