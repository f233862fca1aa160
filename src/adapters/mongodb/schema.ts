// Creates the collections and indexes, and upgrades the data of earlier releases.
import type { IndexDescription } from 'mongodb'
import type { Instant } from '../../domain/instant.js'
import { unusable } from '../../domain/refusal.js'
import { assertUpgraded, assertUsable, markFor, type SchemaMark, type SchemaPlan } from '../upgrades.js'
import { ACCOUNT_INDEXES } from './accounts.js'
import { canonicaliseEmails, adoptResetTokens } from './earlier-releases.js'
import type { Database } from './database.js'
import type { MongoOptions } from './options.js'
import { PETS_BY_ID } from './documents.js'
import { contradicts } from './errors.js'
import { upserting } from './writes.js'

export const VERSION = 3
const CANONICAL_EMAILS = 3
/** A contract step may run again after it was interrupted. */
export const PLAN: SchemaPlan<(database: Database) => Promise<void>> = {
  version: VERSION,
  oldestUsable: 3,
  contractSteps: [],
}
export const SCHEMA = 'schema'
const NAMED = { store: 'database', setting: 'DATABASE_URL to another database' }
const NO_VERSION =
  'The database has the collections of Kennel, but no schema version: the database was dropped while Kennel was running, a restore has not finished, ' +
  'or another program uses it. Restore a backup, or set DATABASE_URL to another database.'
const INDEX_CONFLICT =
  'Another program has indexes or data in this database under names that this service uses: set DATABASE_URL to another database.'

/** The indexes of each collection. */
const INDEXES: Readonly<Record<string, readonly IndexDescription[]>> = {
  accounts: ACCOUNT_INDEXES,
  sessions: [
    { key: { digests: 1 }, unique: true },
    { key: { accountId: 1, createdAt: 1, _id: 1 } },
    { key: { expiresAt: 1 } },
    { key: { 'actor.accountId': 1 }, partialFilterExpression: { 'actor.accountId': { $exists: true } } },
  ],
  revocations: [{ key: { until: 1 } }],
  attempts: [{ key: { until: 1 } }],
  pets: [
    {
      key: { 'idempotency.scope': 1, 'idempotency.key': 1 },
      unique: true,
      partialFilterExpression: { 'idempotency.key': { $exists: true } },
    },
    {
      key: { 'idempotency.until': 1 },
      partialFilterExpression: { 'idempotency.until': { $exists: true } },
    },
    { key: PETS_BY_ID },
  ],
  proofs: [
    { key: { digest: 1 }, unique: true, partialFilterExpression: { digest: { $exists: true } } },
    { key: { binding: 1 }, unique: true, partialFilterExpression: { binding: { $exists: true } } },
    { key: { accountId: 1, _id: 1 } },
    { key: { purpose: 1, _id: 1 } },
    { key: { until: 1 } },
  ],
  projects: [{ key: { createdBy: 1, _id: 1 } }],
  apiKeys: [{ key: { digest: 1 }, unique: true }, { key: { createdBy: 1 } }],
  mailJobs: [{ key: { email: 1, _id: 1 } }],
  auditRecords: [
    { key: { accounts: 1, _id: 1 } },
    { key: { event: 1, _id: 1 } },
    // The index is partial, because most records have no `countKey`.
    { key: { countKey: 1 }, unique: true, partialFilterExpression: { countKey: { $exists: true } } },
  ],
}

/** The schema mark without `contracted`, so that writing the mark keeps the stored number of contract steps. */
const { version: value, contracted: _, ...mark } = markFor(PLAN)
const MARK = { value, ...mark }

/**
 * Creates the indexes and upgrades a database from an earlier release. Several instances may run this function concurrently; only the
 * instance that initializes an empty database calls `onCreated`. Rejects with an `incompatible-store` Refusal if the database belongs to
 * another program, or to a newer release whose schema this release cannot use; or, without `upgrade`, if it has the
 * schema of an earlier release.
 */
export async function prepareSchema(
  database: Database,
  { onCreated, upgrade = true }: Pick<MongoOptions, 'onCreated' | 'upgrade'> = {},
): Promise<void> {
  const found = await readMark(database)
  const version = found?.version ?? (await markFresh(database, onCreated))
  if (!upgrade) assertUpgraded(version, VERSION, NAMED.store)
  // A newer release has already created its own indexes.
  if (version > VERSION) return
  const indexing = Object.entries(INDEXES).map(([name, indexes]) =>
    database.db.collection(name).createIndexes([...indexes]),
  )
  await Promise.all(indexing).catch((error: unknown) => {
    throw contradicts(error) ? unusable('incompatible-store', INDEX_CONFLICT, error) : error
  })
  if (version < CANONICAL_EMAILS) {
    await canonicaliseEmails(database)
    await nameFactors(database)
  }
  await adoptResetTokens(database)
  // Because of the new version, older releases refuse to use the database: they would not require second factors and would not find
  // accounts by canonical email. The version is written last, so that the next start repeats an interrupted upgrade.
  const isOlder = { $or: [{ value: { $lt: VERSION } }, { release: { $exists: false } }] }
  if (version < VERSION || (upgrade && found && found.release === undefined))
    await database.meta.updateOne({ _id: SCHEMA, value: { $lte: VERSION }, ...isOlder }, { $set: MARK })
}

/** Upgrades sessions: the field `factor` was a flag for a verified second factor, and is now the time when the factor was confirmed. */
async function nameFactors({ accounts, sessions }: Database): Promise<void> {
  for await (const { _id, factor } of accounts.find({ 'factor.activeSince': { $exists: true } })) {
    const logins = [{ accountId: _id, actor: { $exists: false } }, { 'actor.accountId': _id }]
    const marked = { factor: true as never, $or: logins }
    await sessions.updateMany(marked, { $set: { factor: factor?.activeSince as Instant } })
  }
}

/** Returns the schema mark, or `undefined` for an empty database. Rejects if this release cannot use the database. */
export async function readMark({ meta }: Database): Promise<SchemaMark | undefined> {
  const found = await meta.findOne({ _id: SCHEMA })
  if (!found) return undefined
  const { value: version, ...more } = found
  assertUsable({ ...more, version }, VERSION, NAMED)
  return { ...more, version }
}

/** Reads the version again, because another instance may have just initialized the database. */
async function markFresh(database: Database, onCreated?: () => void): Promise<number> {
  const { db, meta } = database
  const existing = await db.listCollections({}, { nameOnly: true }).toArray()
  const isOccupied = existing.some(({ name }) => name === 'roles' || Object.hasOwn(INDEXES, name))
  if (isOccupied && (await readMark(database)) === undefined) {
    throw unusable('incompatible-store', NO_VERSION)
  }
  const mark = { $setOnInsert: MARK }
  const { upsertedCount } = await upserting(() => meta.updateOne({ _id: SCHEMA }, mark, { upsert: true }))
  if (upsertedCount > 0) onCreated?.()
  return VERSION
}
