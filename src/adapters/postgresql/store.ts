import { isTransient } from '../../domain/refusal.js'
import type { PartialStore } from '../../ports/store.js'
import { createMailQueue } from '../sql/mail-queue.js'
import { createProjects } from '../sql/projects.js'
import { withRetries } from '../waiting.js'
import { createAccounts } from './accounts.js'
import { createApiKeys } from './api-keys.js'
import { createAttempts } from './attempt-limiter.js'
import { createAuditLog } from './audit-log.js'
import { connectDatabase, type Database } from './database.js'
import { asRefusal } from './errors.js'
import { DEFAULTS, type PostgresOptions } from './options.js'
import { createPets } from './pets.js'
import { createRevocations } from './revocations.js'
import { createProofs } from './proofs.js'
import { createRoles } from './roles.js'
import { foreignTables, prepareSchema } from './schema.js'
import { checkServer } from './server.js'
import { createSecondFactors } from './second-factors.js'
import { createSessions } from './sessions.js'
import type { PostgresStatements } from './statements.js'

/**
 * Opens a store in a schema of a PostgreSQL database, version 14 or newer. Several instances may open the same schema concurrently. When a
 * call that writes has returned, its write is committed. Requires the optional package `pg`. Rejects with a Refusal whose `detail` never
 * contains a password. The code is `incompatible-store` if the schema belongs to another program or a newer release, `missing-package` if
 * the driver is not installed, and `unavailable` otherwise.
 */
export async function openPostgres(url: string, options: PostgresOptions = {}) {
  const { startTimeout = 0, timeout = DEFAULTS.timeout, onWait = () => undefined } = options
  const waiting = { limit: startTimeout, attempt: timeout, onWait, mayHelp: isTransient }
  const database = await withRetries(() => openDatabase(url, options), waiting)
  return { ...portsOf(database.statements), ready: database.ready, close: database.close }
}

/** Every call of these ports is one statement, or several statements that need not be atomic together. */
function portsOf(statements: PostgresStatements) {
  return {
    accounts: createAccounts(statements),
    roles: createRoles(statements),
    sessions: createSessions(statements),
    pets: createPets(statements),
    projects: createProjects(statements),
    revocations: createRevocations(statements),
    attempts: createAttempts(statements),
    audit: createAuditLog(statements),
    proofs: createProofs(statements),
    apiKeys: createApiKeys(statements),
    secondFactors: createSecondFactors(statements),
    mailQueue: createMailQueue(statements),
  } satisfies Partial<PartialStore>
}

async function openDatabase(url: string, options: PostgresOptions): Promise<Database> {
  const database = await connectDatabase(url, options)
  try {
    await checkServer(database, options.onWarning)
    await prepareSchema(database, options.onCreated)
    return database
  } catch (error) {
    await database.close()
    throw asRefusal(foreignTables(error))
  }
}
