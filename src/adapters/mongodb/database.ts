import type { Collection, Db, Document, MongoClient, MongoClientOptions } from 'mongodb'
import type { Milliseconds } from '../../domain/instant.js'
import { unavailable } from '../../domain/refusal.js'
import type {
  AccountDocument,
  ApiKeyDocument,
  AttemptDocument,
  AuditDocument,
  MailDocument,
  MetaDocument,
  PetDocument,
  ProjectDocument,
  RemovedPetDocument,
  RevocationDocument,
  RoleDocument,
  SessionDocument,
} from './documents.js'
import { marked } from './driver-errors.js'
import { loadDriver } from './driver.js'
import { asRefusal } from './errors.js'
import { createNextId, type NextId } from './ids.js'
import { DEFAULTS, type MongoOptions } from './options.js'
import { within } from './waiting.js'
import type { KnownRoles } from './role-table.js'

/** One database on a server or a replica set, as the ports use it. */
export type Database = {
  readonly meta: Collection<MetaDocument>
  readonly accounts: Collection<AccountDocument>
  readonly roles: Collection<RoleDocument>
  readonly sessions: Collection<SessionDocument>
  readonly pets: Collection<PetDocument | RemovedPetDocument>
  readonly apiKeys: Collection<ApiKeyDocument>
  readonly projects: Collection<ProjectDocument>
  readonly revocations: Collection<RevocationDocument>
  readonly attempts: Collection<AttemptDocument>
  readonly mailJobs: Collection<MailDocument>
  readonly auditRecords: Collection<AuditDocument>
  readonly db: Db
  readonly nextId: NextId
  readonly knownRoles: KnownRoles
  /** Works on the database; rejects with what the work threw or with a Refusal `unavailable`. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves while a server that takes writes answers; rejects with `unavailable` else. */
  readonly ready: () => Promise<void>
  /** Waits for what is under way, then closes the connections. Twice is harmless. */
  readonly close: () => Promise<void>
}

const DEFAULT_NAME = 'kennel'

/** Rejects with a Refusal `unavailable` whose detail names the reason and never a password. */
export async function connectDatabase(url: string, options: MongoOptions = {}): Promise<Database> {
  const chosen = { ...DEFAULTS, ...options }
  const bare = await createClient(url, driverOptions(chosen))
  options.onClient?.(bare)
  const client = marked(bare)
  try {
    await client.connect()
  } catch (error) {
    await client.close()
    throw asRefusal(error)
  }
  return createDatabase(client, client.db(nameIn(url)), chosen)
}

/**
 * `majority` with the journal: what was acknowledged survives the loss of any minority, and of the
 * power on a single server. With the default alone, a killed standalone has lost acknowledged writes.
 */
function driverOptions(options: typeof DEFAULTS & MongoOptions): MongoClientOptions {
  const { timeout, poolSize } = options
  return {
    appName: 'kennel',
    maxPoolSize: poolSize,
    retryReads: true,
    retryWrites: true,
    waitQueueTimeoutMS: timeout,
    serverSelectionTimeoutMS: timeout,
    connectTimeoutMS: timeout,
    heartbeatFrequencyMS: 1_000,
    minHeartbeatFrequencyMS: 100,
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    monitorCommands: typeof options.onClient === 'function',
  }
}

/** The driver's own message about a malformed URL repeats it, password included. */
async function createClient(url: string, options: MongoClientOptions): Promise<MongoClient> {
  const driver = await loadDriver()
  try {
    return new driver.MongoClient(url, options)
  } catch {
    throw unavailable('DATABASE_URL is not a connection string that the MongoDB driver understands.')
  }
}

/** The database that the URL names after the hosts, else `kennel`. */
function nameIn(url: string): string {
  const name = /^[^/]+\/\/[^/?]+\/([^?]+)/.exec(url)?.[1]
  return name === undefined ? DEFAULT_NAME : decodeURIComponent(name)
}

function createDatabase(
  client: MongoClient,
  db: Db,
  { timeout, readyTimeout }: Required<Pick<MongoOptions, 'timeout' | 'readyTimeout'>>,
): Database {
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  async function askWithin<T>(limit: Milliseconds, work: () => Promise<T>): Promise<T> {
    if (closing) throw unavailable('The store is closed.')
    const answer = within(limit, work())
    underWay.add(answer)
    try {
      return await answer
    } catch (error) {
      throw asRefusal(error)
    } finally {
      underWay.delete(answer)
    }
  }

  async function closeOnce(): Promise<void> {
    await Promise.allSettled(underWay)
    // The driver ends its sessions on the server; a server that hangs is not waited for long.
    await within(readyTimeout, client.close()).catch(() => undefined)
  }

  const collections = collectionsOf(db)
  return {
    ...collections,
    db,
    nextId: createNextId(collections.meta),
    knownRoles: new Map(),
    run: async (work) => await askWithin(timeout, work),
    ready: async () => {
      await askWithin(readyTimeout, async () => await db.command({ ping: 1 }))
    },
    close: () => (closing ??= closeOnce()),
  }
}

function collectionsOf(db: Db) {
  const collection = <T extends Document>(name: string) => db.collection<T>(name)
  return {
    meta: collection<MetaDocument>('meta'),
    accounts: collection<AccountDocument>('accounts'),
    roles: collection<RoleDocument>('roles'),
    sessions: collection<SessionDocument>('sessions'),
    pets: collection<PetDocument | RemovedPetDocument>('pets'),
    apiKeys: collection<ApiKeyDocument>('apiKeys'),
    projects: collection<ProjectDocument>('projects'),
    revocations: collection<RevocationDocument>('revocations'),
    attempts: collection<AttemptDocument>('attempts'),
    mailJobs: collection<MailDocument>('mailJobs'),
    auditRecords: collection<AuditDocument>('auditRecords'),
  }
}
