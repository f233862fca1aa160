import { passphraseError, passphraseWarning } from '../adapters/keyring/index.js'
import { CommandError } from '../adapters/oclif/command-context.js'
import { loadConfiguration, type Configuration } from '../configuration/configuration.js'

/** Everything that is read before anything is opened. */
export type Setup = {
  readonly configuration: Configuration
  /** Sentences for the operator; none holds a value. */
  readonly warnings: readonly string[]
}

/** Reads the configuration, permissions included; throws one `CommandError` with every fault of it. */
export function readSetup(): Setup {
  const outcome = loadConfiguration({ passphraseError, passphraseWarning })
  if (!outcome.ok) throw new CommandError(outcome.errors)
  return outcome
}
