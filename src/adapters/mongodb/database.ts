import type { Db, FindCursor, MongoClient, MongoClientOptions } from 'mongodb'
import { createLastWrite, type LastWrite } from '../../application/last-write.js'
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
import { marked, type Around } from './driver-errors.js'
import { loadDriver } from './driver.js'
import { asRefusal, isDuplicate, isOutcomeLost } from './errors.js'
import { createNextId, type NextId } from './ids.js'
import { DEFAULTS, type MongoOptions } from './options.js'
import { watchPrimary, type PrimaryWatch } from './primary-watch.js'
import { within } from './waiting.js'

/** One database on a server or a replica set. */
export type Database = Readonly<ReturnType<typeof collectionsOf>> & {
  readonly db: Db
  readonly nextId: NextId
  /** Wraps a command that only reads. Reads of the collections are wrapped already. */
  readonly read: PrimaryWatch['read']
  /** Rejects with the error of the work or with a Refusal `unavailable`. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  /**
   * Resolves while a server takes writes; rejects with `unavailable` otherwise, and also after a failed write
   * until a write succeeds.
   */
  readonly ready: () => Promise<void>
  /** Waits for running calls, then closes the connections. A second call is harmless. */
  readonly close: () => Promise<void>
}

const DEFAULT_NAME = 'kennel'

/** The collections use it; a bare command must name it. */
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
  const [read, write] = [reading(watch), noting(lastWrite, chosen.timeout)]
  const client = marked(bare, (call) => write({ ...call, call: () => read(call) }))
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

/** Calls of the driver that read and return all results. */
const READS = new Set<unknown>(['findOne', 'toArray', 'countDocuments', 'estimatedDocumentCount'])

function reading({ read }: PrimaryWatch): Around {
  return ({ target, name, call }) => {
    if (!READS.has(name)) return call()
    return read(async () => {
      // A repeated read must rewind its cursor.
      if ('rewind' in target) (target as FindCursor).rewind()
      return await call()
    })
  }
}

/** Calls of the driver that write. */
const WRITES = new Set<unknown>([
  ...['insertOne', 'updateOne', 'updateMany', 'replaceOne'],
  ...['deleteOne', 'deleteMany', 'bulkWrite', 'findOneAndUpdate'],
])

/** Records the outcome of each write; a write without an answer within the limit counts as a failure. */
function noting({ noted }: LastWrite, limit: Milliseconds): Around {
  return ({ name, args: [first], call }) => {
    const answer = call()
    const isUpdate = name === 'command' && Object.hasOwn(first as object, 'update')
    if (isUpdate || WRITES.has(name))
      void noted(() => within(limit, Promise.resolve(answer))).catch(() => undefined)
    return answer
  }
}

/** Changes nothing, but needs everything that another write needs. */
async function rewriteVersion(db: Db): Promise<void> {
  await db.collection<MetaDocument>('meta').updateOne({ _id: 'schema' }, { $max: { value: 0 } })
}

/**
 * Reads return only data that a majority has confirmed. Otherwise a repeated request, whose first run was
 * answered with `unavailable`, could find the write of that run on a primary that later loses it, and report
 * success.
 *
 * Writes wait for a majority and its journals: an acknowledged write survives the loss of any minority and a
 * power failure of a single server. With the default alone, a killed standalone server has lost acknowledged
 * writes.
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

/** The message of the driver repeats a malformed URL with its password. */
async function createClient(url: string, options: MongoClientOptions): Promise<MongoClient> {
  const driver = await loadDriver()
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
    // The driver ends its sessions on the server, which may hang.
    await within(readyTimeout, client.close()).catch(() => undefined)
  }

  const collections = collectionsOf(db)
  return {
    ...collections,
    db,
    nextId: createNextId(collections.meta),
    read: watch.read,
    run: (work) => askWithin(timeout, work),
    ready: () =>
      askWithin(readyTimeout, async () => {
        await db.command({ ping: 1 })
        await lastWrite.assertDone()
      }),
    close: () => (closing ??= closeOnce()),
  }
}

function collectionsOf(db: Db) {
  return {
    meta: db.collection<MetaDocument>('meta'),
    accounts: db.collection<AccountDocument>('accounts'),
    roles: db.collection<RoleDocument>('roles'),
    sessions: db.collection<SessionDocument>('sessions'),
    pets: db.collection<PetDocument | RemovedPetDocument>('pets'),
    apiKeys: db.collection<ApiKeyDocument>('apiKeys'),
    projects: db.collection<ProjectDocument>('projects'),
    revocations: db.collection<RevocationDocument>('revocations'),
    attempts: db.collection<AttemptDocument>('attempts'),
    mailJobs: db.collection<MailDocument>('mailJobs'),
    auditRecords: db.collection<AuditDocument>('auditRecords'),
  }
}
