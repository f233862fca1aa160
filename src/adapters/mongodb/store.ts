import { wrapStore } from '../../application/wrap-port.js'
import type { Refusal } from '../../domain/refusal.js'
import type { Store } from '../../ports/store.js'
import { createAccounts } from './accounts.js'
import { createApiKeys } from './api-keys.js'
import { createAttempts } from './attempt-limiter.js'
import { createAuditLog } from './audit-log.js'
import { connectDatabase, type Database } from './database.js'
import type { MongoOptions } from './options.js'
import { asRefusal, isHopeless } from './errors.js'
import { withInstances } from '../upgrades.js'
import { createInstances } from './upgrades.js'
import { createMailQueue } from './mail-queue.js'
import { createPasskeys } from './passkeys.js'
import { createPets } from './pets.js'
import { createProofs } from './proofs.js'
import { createProjects } from './projects.js'
import { createCopyableRecords } from './copyable-records.js'
import { createRevocations } from './revocations.js'
import { createRoles } from './roles.js'
import { prepareSchema } from './schema.js'
import { createSecondFactors } from './second-factors.js'
import { createSessions } from './sessions.js'
import { withRetries } from '../database-server.js'

/**
 * Opens a store in the URL's database (`kennel` by default), on a standalone server or a replica set of MongoDB 6.0 or newer. Several
 * instances may open the same database concurrently. When a call that writes returns, a majority has journaled its write. Requires the
 * optional package `mongodb`. Rejects with a Refusal whose `detail` never contains a password. The code is `incompatible-store` if the
 * database belongs to another program or a newer release, `missing-package` if the driver is not installed, and `unavailable` otherwise.
 */
export async function openMongo(url: string, options: MongoOptions = {}): Promise<Store> {
  const mayHelp = (refusal: Refusal) => refusal.code === 'unavailable' && !isHopeless(refusal)
  const database = await withRetries(() => openDatabase(url, options), options, mayHelp)
  const { run, ready, close } = database
  const store = {
    accounts: createAccounts(database),
    sessions: createSessions(database),
    pets: createPets(database),
    roles: createRoles(database),
    apiKeys: createApiKeys(database),
    projects: createProjects(database),
    revocations: createRevocations(database),
    attempts: createAttempts(database),
    audit: createAuditLog(database),
    mailQueue: createMailQueue(database),
    secondFactors: createSecondFactors(database),
    passkeys: createPasskeys(database),
    proofs: createProofs(database),
    copyableRecords: createCopyableRecords(database),
    ready,
    close,
  }
  const bounded = wrapStore<Store>(
    store,
    (call) =>
      (...args) =>
        run(() => call(...args) as Promise<unknown>),
  )
  return withInstances(bounded, createInstances(database))
}

async function openDatabase(url: string, options: MongoOptions): Promise<Database> {
  const database = await connectDatabase(url, options)
  try {
    await prepareSchema(database, options)
    return database
  } catch (error) {
    await database.close()
    throw asRefusal(error)
  }
}
