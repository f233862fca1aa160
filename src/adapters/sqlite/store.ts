import { resolve } from 'node:path'

import type { Store } from '../../ports/store.js'
import { createAccounts } from './accounts.js'
import { createApiKeys } from './api-keys.js'
import { createAttempts, type Attempts } from './attempt-limiter.js'
import { createAuditLog } from './audit-log.js'
import { withInstances } from '../upgrades.js'
import { openDatabase, type Database, type SqliteOptions } from './database.js'
import { foreignTables } from './errors.js'
import { createInstances } from './upgrades.js'
import { createMailQueue } from '../sql/mail-queue.js'
import { createPasskeys } from './passkeys.js'
import { createPets } from './pets.js'
import { createProofs } from './proofs.js'
import { createProjects } from '../sql/projects.js'
import { createCopyableRecords } from './copyable-records.js'
import { createRevocations } from './revocations.js'
import { createRoles } from './roles.js'
import { createSecondFactors } from './second-factors.js'
import { createSessions } from './sessions.js'
import { statementsOf } from './statements.js'

export type { SqliteOptions } from './database.js'

/**
 * Opens a store in one SQLite file; creates the file (mode 0600) and its directory (0700) if they are missing. Several processes on one
 * machine may open the file concurrently. When a call that writes returns, its changes are on disk. Rejects with a Refusal whose `detail`
 * gives the reason. The code is `unavailable` if the file cannot be used; `incompatible-store` if the file is not a SQLite file or belongs
 * to another program or a newer release; `not-found` if the file does not exist and `create` is `false`.
 */
export async function openSqlite(path: string, options?: SqliteOptions): Promise<Store> {
  const file = resolve(path)
  const database = await openDatabase(file, options)
  try {
    const store = storeOf(database, createAttempts(file, options?.onAttemptsRecreated))
    return withInstances(store, createInstances(database))
  } catch (error) {
    await database.close()
    throw foreignTables(error)
  }
}

function storeOf(database: Database, attempts: Attempts): Store {
  const statements = statementsOf(database)
  return {
    accounts: createAccounts(database),
    sessions: createSessions(database),
    pets: createPets(database),
    roles: createRoles(database),
    apiKeys: createApiKeys(database),
    projects: createProjects(statements),
    revocations: createRevocations(database),
    attempts,
    audit: createAuditLog(database),
    mailQueue: createMailQueue(statements),
    secondFactors: createSecondFactors(database),
    passkeys: createPasskeys(database),
    proofs: createProofs(database),
    copyableRecords: createCopyableRecords(database),
    ready: async () => {
      await database.ready()
      await attempts.ready()
    },
    close: async () => {
      await Promise.all([attempts.close(), database.close()])
    },
  }
}
