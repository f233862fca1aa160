import { generatePassphrase, passphraseError, passphraseWarning } from '../adapters/keyring/index.js'
import { systemRandomness } from '../adapters/system/index.js'
import { ADAPTER_RULES } from '../composition-root/adapter-rules.js'
import { typedPath } from '../configuration/environment.js'
import { loadSettings, type EnvironmentSettings } from '../configuration/from-environment.js'

/** Generates a development passphrase from 256 bits of system randomness, and validates passphrases. */
export const PASSPHRASES = { generate: () => generatePassphrase(systemRandomness), passphraseError }

/**
 * Reads the environment, `.env` and the files that these two specify, before anything is opened. `storeModule` replaces the store that the
 * configuration specifies. Throws a `ConfigurationError` that lists all errors.
 */
export function readConfiguration(storeModule?: string): EnvironmentSettings {
  const isPath = storeModule?.startsWith('.') === true
  const typedModule = isPath ? typedPath(storeModule) : storeModule
  return loadSettings({ ...ADAPTER_RULES, passphraseWarning }, { storeModule: typedModule })
}
