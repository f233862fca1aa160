import { generatePassphrase, passphraseError, passphraseWarning } from '../adapters/keyring/index.js'
import { systemRandomness } from '../adapters/system/index.js'
import { ADAPTER_RULES } from '../composition-root/adapter-rules.js'
import { typedPath } from '../configuration/environment.js'
import { loadSettings, type EnvironmentSettings } from '../configuration/from-environment.js'

/** Generates a passphrase for development with 256 bits of the system's randomness, and judges it. */
export const PASSPHRASES = { generate: () => generatePassphrase(systemRandomness), passphraseError }

/**
 * Reads the environment, `.env` and the files that they name, before anything is opened. `storeModule` replaces the
 * store that they name. Throws a `ConfigurationError` that lists all errors.
 */
export function readConfiguration(storeModule?: string): EnvironmentSettings {
  const isPath = storeModule?.startsWith('.') === true
  const typedModule = isPath ? typedPath(storeModule) : storeModule
  return loadSettings({ ...ADAPTER_RULES, passphraseWarning }, { storeModule: typedModule })
}
