import {
  reasonNotToFinish,
  type FinishOutcome,
  type StoreSchema,
  type Instance,
} from '../../domain/upgrade.js'
import type { Instant, Milliseconds } from '../../domain/instant.js'
import { type Upgrades, KEPT_FOR, type InstanceRecords, compareSchema, markFor } from '../upgrades.js'
import { connectDatabase, type Database } from './database.js'
import type { MetaDocument } from './documents.js'
import { asRefusal } from './errors.js'
import { PLAN, readMark, SCHEMA, VERSION } from './schema.js'
import { VERSION as RELEASE } from '../../domain/version.js'
import { upserting } from './writes.js'

/**
 * `put` reads the schema mark after it writes the record, and `upgrade finish` reads the records after it writes the mark, so the later
 * call detects the earlier call.
 */
export function createInstances(database: Database): InstanceRecords {
  const { instances, run } = database
  return {
    put: (id, servedAt) =>
      run(async () => {
        const record = { $set: { release: RELEASE, schema: VERSION, servedAt } }
        await upserting(() => instances.updateOne({ _id: id }, record, { upsert: true }))
        await instances.deleteMany({ servedAt: { $lt: servedAt - KEPT_FOR } })
        await readMark(database)
      }),
    remove: (id) =>
      run(async () => {
        await instances.deleteOne({ _id: id })
      }),
  }
}

export async function readInstances({ instances }: Database): Promise<readonly Instance[]> {
  const found = await instances.find({}, { sort: { _id: 1 } }).toArray()
  return found.map(({ _id: id, release, schema, servedAt }) => ({ id, release, schema, servedAt }))
}

/** The time after which another caller may repeat the contract steps of a crashed caller. */
const LEASE: Milliseconds = 10 * 60_000

type Plan = typeof PLAN

/** Creates the functions for `upgrade` commands on a MongoDB database. */
export function mongoUpgrades(url: string, plan: Plan = PLAN): Upgrades {
  const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await connectDatabase(url)
    try {
      return await work(database)
    } catch (error) {
      throw asRefusal(error)
    } finally {
      await database.close()
    }
  }
  return {
    read: () => inDatabase((database) => schemaOf(database, plan)),
    finish: (now) => inDatabase((database) => contract(database, plan, now)),
  }
}

async function schemaOf(database: Database, plan: Plan): Promise<StoreSchema> {
  return compareSchema({ mark: await readMark(database), instances: await readInstances(database) }, plan)
}

/** A single update decides which caller runs the steps, because MongoDB has no transactions on a standalone server. */
async function contract(database: Database, plan: Plan, now: Instant): Promise<FinishOutcome> {
  const schema = await schemaOf(database, plan)
  const reason = reasonNotToFinish(schema, now)
  if (reason !== undefined) return { kind: 'refused', reason }
  if (schema.isFinished) return { kind: 'unchanged' }
  const before = await claim(database, plan, now + LEASE)
  return before ? await contractClaimed(database, plan, { before, now }) : { kind: 'under-way' }
}

/**
 * The claim makes older instances refuse the database. If an older instance registered before the claim, the upgrade is refused and the
 * claim is released.
 */
async function contractClaimed(
  database: Database,
  plan: Plan,
  { before, now }: { readonly before: MetaDocument; readonly now: Instant },
): Promise<FinishOutcome> {
  const end = (changes: Partial<MetaDocument>) =>
    database.meta.updateOne(
      { _id: SCHEMA, contracting: now + LEASE },
      { $set: changes, $unset: { contracting: '' } },
    )
  const reason = reasonNotToFinish(await schemaOf(database, plan), now)
  if (reason !== undefined) {
    const { value, readableFrom = value, writableFrom = value } = before
    await end({ readableFrom, writableFrom })
    return { kind: 'refused', reason }
  }
  for (const { step } of plan.contractSteps.slice(before.contracted ?? 0)) await step(database)
  await end({ contracted: plan.contractSteps.length })
  return { kind: 'finished' }
}

/** Returns the mark as it was before this caller changed it; `null` if another caller is running the contract steps, or has run them. */
async function claim({ meta }: Database, plan: Plan, contracting: Instant): Promise<MetaDocument | null> {
  const { version: value, contracted, ...mark } = markFor(plan, plan.contractSteps.length)
  const isFree = { $or: [{ contracting: { $exists: false } }, { contracting: { $lt: contracting - LEASE } }] }
  const isUnfinished = { value, contracted: { $not: { $gte: contracted } } }
  const update = { $set: { ...mark, contracting } }
  return await meta.findOneAndUpdate({ _id: SCHEMA, ...isUnfinished, ...isFree }, update)
}
