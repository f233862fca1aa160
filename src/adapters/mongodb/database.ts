import type { Db, FindCursor, MongoClient, MongoClientOptions } from 'mongodb'
import { createLastWrite, type LastWrite } from '../../application/last-write.js'
import type { Milliseconds } from '../../domain/instant.js'
import { unavailable } from '../../domain/refusal.js'
import type {
  AccountDocument,
  ApiKeyDocument,
  AttemptDocument,
  AuditDocument,
  InstanceDocument,
  MailDocument,
  MetaDocument,
  PetDocument,
  ProjectDocument,
  ProofDocument,
  RemovedPetDocument,
  RevocationDocument,
  RoleDocument,
  SessionDocument,
} from './documents.js'
import { markErrors, type WrapCall, asRefusal, isDuplicate, isOutcomeLost, loadDriver } from './errors.js'
import { createNextId, type NextId } from './writes.js'
import { watchPrimary, type PrimaryWatch } from './primary-watch.js'
import { assertFilesReadable, POOL_SIZES, SERVER_DEFAULTS, trackCalls, within } from '../database-server.js'
import type { MongoOptions } from './options.js'

/** A store's database, on a server or a replica set. */
export type Database = Readonly<ReturnType<typeof collectionsOf>> & {
  readonly db: Db
  readonly nextId: NextId
  /** Wraps a read-only command. Reads made through the collection objects are already wrapped. */
  readonly read: PrimaryWatch['read']
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  /** Rejects with `unavailable` if no server accepts writes, if the database was dropped, or if the last write failed. */
  readonly ready: () => Promise<void>
  /** Waits for running calls, and then closes the connections. Idempotent. */
  readonly close: () => Promise<void>
}

const DEFAULTS = { ...SERVER_DEFAULTS, poolSize: POOL_SIZES.mongodb }

const DEFAULT_NAME = 'kennel'

/** The collections' default read concern; a plain command must set it explicitly. */
export const CONFIRMED_READS = { level: 'majority' } as const

export async function connectDatabase(url: string, options: MongoOptions = {}): Promise<Database> {
  const chosen = { ...DEFAULTS, ...options }
  const bare = await createClient(url, driverOptions(chosen))
  options.onClient?.(bare)
  const name = nameIn(url)
  const watch = watchPrimary(bare, () => confirmPrimary(bare.db(name), chosen.timeout))
  const lastWrite = createLastWrite({
    probe: () => rewriteVersion(client.db(name)),
    now: () => performance.now(),
    isFailure: (error) => !isDuplicate(error) && !isOutcomeLost(error),
  })
  const [read, write] = [wrapReads(watch), recordWrites(lastWrite, chosen.timeout)]
  const client = markErrors(bare, (call) => write({ ...call, call: () => read(call) }))
  try {
    await client.connect()
  } catch (error) {
    await client.close()
    throw asRefusal(error)
  }
  return createDatabase(client, client.db(name), { ...chosen, watch, lastWrite })
}

async function confirmPrimary(db: Db, maxTimeMS: Milliseconds): Promise<void> {
  const readConcern = { level: 'linearizable' } as const
  const options = { readConcern, readPreference: 'primary', maxTimeMS } as const
  await db.collection<MetaDocument>('meta').findOne({ _id: 'schema' }, options)
}

const READS = new Set<unknown>(['findOne', 'toArray', 'countDocuments', 'estimatedDocumentCount'])

function wrapReads({ read }: PrimaryWatch): WrapCall {
  return ({ target, name, call }) => {
    if (!READS.has(name)) return call()
    return read(async () => {
      // The cursor must be rewound before a read is repeated.
      if ('rewind' in target) (target as FindCursor).rewind()
      return await call()
    })
  }
}

const WRITES = new Set<unknown>([
  ...['insertOne', 'updateOne', 'updateMany', 'replaceOne'],
  ...['deleteOne', 'deleteMany', 'bulkWrite', 'findOneAndUpdate'],
])

/** A write counts as failed if no reply arrives in time; the limit is shorter than the caller's, so that `ready` knows the failure first. */
function recordWrites({ noted }: LastWrite, timeout: Milliseconds): WrapCall {
  const limit = 0.9 * timeout
  return ({ name, args: [first], call }) => {
    const answer = call()
    const isUpdate = name === 'command' && Object.hasOwn(first as object, 'update')
    if (isUpdate || WRITES.has(name))
      void noted(() => within(limit, Promise.resolve(answer), 'MongoDB')).catch(() => undefined)
    return answer
  }
}

async function rewriteVersion(db: Db): Promise<void> {
  await db.collection<MetaDocument>('meta').updateOne({ _id: 'schema' }, { $max: { value: 0 } })
}

/**
 * Reads return only data that a majority has confirmed. Otherwise, a request that failed with `unavailable` could, when repeated, find its
 * own earlier write and report success, although the primary may still lose that write.
 *
 * Writes wait until a majority has journaled them, so an acknowledged write survives the loss of any minority, and a power failure of a
 * single server.
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
    readConcern: CONFIRMED_READS,
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: true,
    monitorCommands: typeof options.onClient === 'function',
  }
}

/** Does not pass on the driver's error, because it quotes a malformed URL with its password. */
async function createClient(url: string, options: MongoClientOptions): Promise<MongoClient> {
  const driver = await loadDriver()
  assertFilesReadable(url)
  try {
    return new driver.MongoClient(url, options)
  } catch {
    throw unavailable('DATABASE_URL is not a connection string that the MongoDB driver understands.')
  }
}

function nameIn(url: string): string {
  const name = /^[^/]+\/\/[^/?]+\/([^?]+)/.exec(url)?.[1]
  return name === undefined ? DEFAULT_NAME : decodeURIComponent(name)
}

type Parts = typeof DEFAULTS & { readonly watch: PrimaryWatch; readonly lastWrite: LastWrite }

function createDatabase(client: MongoClient, db: Db, parts: Parts): Database {
  const { timeout, readyTimeout, watch, lastWrite } = parts
  const { track, close } = trackCalls('MongoDB', readyTimeout, () => client.close())

  async function runWithin<T>(limit: Milliseconds, work: () => Promise<T>): Promise<T> {
    try {
      return await track(() => within(limit, work(), 'MongoDB'))
    } catch (error) {
      throw asRefusal(error)
    }
  }

  const collections = collectionsOf(db)
  return {
    ...collections,
    db,
    nextId: createNextId(collections.meta),
    read: watch.read,
    run: (work) => runWithin(timeout, work),
    ready: () =>
      runWithin(readyTimeout, async () => {
        const schema = await collections.meta.findOne({ _id: 'schema' }, { readPreference: 'primary' })
        if (!schema)
          throw unavailable('The database has no data of Kennel: it was dropped, or a restore has not ended.')
        await lastWrite.assertDone()
      }),
    close,
  }
}

function collectionsOf(db: Db) {
  return {
    meta: db.collection<MetaDocument>('meta'),
    // Instances are not recorded in `meta`, because a running copy of the store detects every write to `meta`.
    instances: db.collection<InstanceDocument>('instances'),
    accounts: db.collection<AccountDocument>('accounts'),
    roles: db.collection<RoleDocument>('roles'),
    sessions: db.collection<SessionDocument>('sessions'),
    pets: db.collection<PetDocument | RemovedPetDocument>('pets'),
    apiKeys: db.collection<ApiKeyDocument>('apiKeys'),
    projects: db.collection<ProjectDocument>('projects'),
    revocations: db.collection<RevocationDocument>('revocations'),
    attempts: db.collection<AttemptDocument>('attempts'),
    proofs: db.collection<ProofDocument>('proofs'),
    mailJobs: db.collection<MailDocument>('mailJobs'),
    auditRecords: db.collection<AuditDocument>('auditRecords'),
  }
}
