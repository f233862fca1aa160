import { isTransient } from '../../domain/refusal.js'
import type { Store, StoreWithin } from '../../ports/store.js'
import { withInstances } from '../upgrades.js'
import { createMailQueue } from '../sql/mail-queue.js'
import { createProjects } from '../sql/projects.js'
import { withRetries } from '../database-server.js'
import { createAccounts } from './accounts.js'
import { createApiKeys } from './api-keys.js'
import { createAttempts } from './attempt-limiter.js'
import { createAuditLog } from './audit-log.js'
import { createCopyableRecords } from './copyable-records.js'
import { connectDatabase, type Database } from './database.js'
import { asRefusal } from './errors.js'
import { createInstances } from './upgrades.js'
import { createPasskeys } from './passkeys.js'
import { createPets } from './pets.js'
import { createRevocations } from './revocations.js'
import { createProofs } from './proofs.js'
import { createRoles } from './roles.js'
import { queriesOn, type Client } from './run-statement.js'
import { foreignTables, prepareSchema } from './schema.js'
import { checkServer } from './server.js'
import type { PostgresOptions } from './options.js'
import { createSecondFactors } from './second-factors.js'
import { createSessions } from './sessions.js'
import { statementsOf, type PostgresStatements } from './statements.js'

/** A store in a schema of a PostgreSQL database. */
export type PostgresStore = Store & {
  /**
   * Returns the same ports on the embedder's own connection to this database. The calls of these ports run in the transaction of this
   * connection, so that accounts, emails and audit records are committed together with the application's rows, or not at all. Requires a
   * transaction with the default isolation level, READ COMMITTED. An expected outcome, such as `duplicate-email`, does not abort the
   * transaction; if a call rejects, roll back. The calls have no time limit and are never repeated. Wait for each call before the next
   * query on this connection.
   *
   * @example
   * ```ts
   * import type { NewAccount } from 'kennel-id/ports'
   * import type { PostgresStore } from 'kennel-id/postgresql'
   *
   * declare const store: PostgresStore
   * declare const client: { query(...statement: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }> }
   * declare const account: NewAccount
   *
   * await client.query('BEGIN')
   * const { accounts } = store.within(client)
   * const inserted = await accounts.insert(account)
   * if (inserted.kind === 'inserted')
   *   await client.query('INSERT INTO orders (account_id, item) VALUES ($1, $2)', [inserted.id, 'a kennel'])
   * await client.query('COMMIT')
   * ```
   */
  within(client: Client): StoreWithin
}

/**
 * Opens a store in a schema of a PostgreSQL database, version 14 or newer. Several instances may open the same schema concurrently. When a
 * call that writes returns, its write is committed. Requires the optional package `pg`. Rejects with a Refusal whose `detail` never
 * contains a password. The code is `incompatible-store` if the schema belongs to another program or a newer release, `missing-package` if
 * the driver is not installed, and `unavailable` otherwise.
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<PostgresStore> {
  const database = await withRetries(() => openDatabase(url, options), options, isTransient)
  const { statements, schema, ready, close } = database
  /** A pool hands out the same connection repeatedly, and all calls on one connection must share one queue. */
  const within = new WeakMap<Client, StoreWithin>()
  const store = {
    ...portsOf(statements),
    copyableRecords: createCopyableRecords(database),
    ready,
    close,
    within: (client: Client) => {
      const ports = within.get(client) ?? portsOf(statementsOf(schema, queriesOn(client)))
      within.set(client, ports)
      return ports
    },
  }
  return withInstances(store, createInstances(database))
}

/** Each call of these ports runs one statement, or several statements that need not be atomic. */
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
    passkeys: createPasskeys(statements),
    proofs: createProofs(statements),
    apiKeys: createApiKeys(statements),
    secondFactors: createSecondFactors(statements),
    mailQueue: createMailQueue(statements),
  } satisfies StoreWithin
}

async function openDatabase(url: string, options: PostgresOptions): Promise<Database> {
  const database = await connectDatabase(url, options)
  try {
    await checkServer(database.statements, options.onWarning)
    await prepareSchema(database, options)
    return database
  } catch (error) {
    await database.close()
    throw asRefusal(foreignTables(error))
  }
}
