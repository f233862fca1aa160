import { UsageError, type StoreFlag } from '../adapters/oclif/command-context.js'
import type { Upgrades } from '../adapters/upgrades.js'
import { readConfiguration } from './read-configuration.js'

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
