import { generatePassphrase, passphraseError, passphraseWarning } from '../adapters/keyring/index.js'
import { systemRandomness } from '../adapters/system/index.js'
import { ADAPTER_RULES } from '../composition-root/adapter-rules.js'
import { typedPath } from '../configuration/environment.js'
import { loadSettings, type EnvironmentSettings } from '../configuration/from-environment.js'
import { UsageError, type StoreFlag } from '../adapters/oclif/command.js'
import type { Upgrades } from '../adapters/upgrades.js'

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

/** Returns the upgrades of the configured store. Rejects with a `UsageError` if the store is not one of the built-in stores. */
export async function openUpgrades({ store }: StoreFlag): Promise<Upgrades> {
  const { store: database, databaseSchema: schema } = readConfiguration(store).settings
  switch (database.kind) {
    case 'sqlite':
      return (await import('../adapters/sqlite/upgrades.js')).sqliteUpgrades(database.path)
    case 'mongodb':
      return (await import('../adapters/mongodb/upgrades.js')).mongoUpgrades(database.url)
    case 'postgresql':
      return (await import('../adapters/postgresql/upgrades.js')).postgresUpgrades(database.url, { schema })
    case 'memory':
    case 'module':
      throw new UsageError('Only the SQLite, MongoDB and PostgreSQL stores of DATABASE_URL have upgrades.')
  }
}
