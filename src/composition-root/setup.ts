import { passphraseWarning } from '../adapters/keyring/index.js'
import { loadConfiguration, type EnvironmentConfiguration } from '../configuration/from-environment.js'
import { ADAPTER_RULES } from './adapter-rules.js'

/** Reads everything that is read before anything is opened; throws a `ConfigurationError` with all that is wrong with it. */
export function readSetup(): EnvironmentConfiguration {
  return loadConfiguration({ ...ADAPTER_RULES, passphraseWarning })
}
