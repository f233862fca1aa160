import { type PetDraft, type PetId, type Revision, changedPet } from '../../domain/catalogue/pet.js'
import { pageOf } from '../../domain/page-limit.js'
import type { CounterName } from '../../ports/copyable-records.js'
import type { Idempotency, PetInsertion, Pets } from '../../ports/pets.js'
import type { Database } from './database.js'
import { FREE_KEY, isPet, NOT_REMOVED, petOf, PETS_BY_ID, petsOf, type PetDocument } from './documents.js'
import { isDuplicateOf } from './errors.js'
import { insertCounted, insertOwn } from './writes.js'

const FIRST_REVISION = 1 as Revision
/** An attempt fails only if another request with the same idempotency key succeeds and this key then expires. */
const MAX_TRIES = 10

type Parts = Pick<Database, CounterName | 'meta' | 'nextId'>

/** Stores pets. Each page is one range of an index; the cost of reading it depends neither on its position nor on removed pets. */
export function createPets(database: Database): Pets {
  const { pets } = database

  async function findPet(_id: PetId): Promise<PetDocument | undefined> {
    const document = await pets.findOne({ _id })
    return document && isPet(document) ? document : undefined
  }

  return {
    insert: (draft, idempotency) => insertPet(database, draft, idempotency),
    async find(id) {
      const document = await findPet(id)
      return document && petOf(document)
    },
    findMany: async (ids) =>
      petsOf(await pets.find({ _id: { $in: [...ids] } }, { sort: { _id: 1 } }).toArray()),
    async page(after = 0 as PetId, limit) {
      const above = { _id: { $gt: after }, ...NOT_REMOVED }
      const found = await pets.find(above, { sort: PETS_BY_ID, limit: limit + 1 }).toArray()
      return pageOf('pets', petsOf(found), limit)
    },
    async patch(id, change, expected) {
      for (;;) {
        const before = await findPet(id)
        if (!before) return { kind: 'unknown' }
        const { revision } = before
        if (expected && !expected.includes(revision)) return { kind: 'stale' }
        const pet = changedPet(petOf(before), change)
        const { traits } = pet
        const changed = traits ? { $set: { traits } } : ({ $unset: { traits: true } } as const)
        const swap = { ...changed, $inc: { revision: 1 } }
        const { matchedCount } = await pets.updateOne({ _id: id, revision }, swap)
        if (matchedCount === 1) return { kind: 'patched', pet }
      }
    },
    /** Removes the pet if its revision is unchanged, but keeps the idempotency key, which outlives its pet. */
    async remove(_id, expected) {
      for (;;) {
        const before = await findPet(_id)
        if (!before) return 'unknown'
        const { revision, idempotency } = before
        if (expected && !expected.includes(revision)) return 'stale'
        const unchanged = { _id, revision }
        const isRemoved = idempotency
          ? (await pets.replaceOne(unchanged, { removed: true, idempotency })).matchedCount === 1
          : (await pets.deleteOne(unchanged)).deletedCount === 1
        if (isRemoved) return 'removed'
      }
    },
    async purgeIdempotencyKeys(at, limit) {
      const expired = { 'idempotency.until': { $lte: at } }
      const options = { sort: { 'idempotency.until': 1 }, limit, projection: { _id: 1 } } as const
      const ids = (await pets.find(expired, options).toArray()).map((pet) => pet._id)
      if (ids.length === 0) return 0
      const these = { _id: { $in: ids }, ...expired }
      const { deletedCount } = await pets.deleteMany({ ...these, removed: true })
      return deletedCount + (await pets.updateMany({ ...these, ...NOT_REMOVED }, FREE_KEY)).modifiedCount
    },
  }
}

/** Callers with the same idempotency key get the same pet; the unique index decides which insert succeeds. */
async function insertPet(
  database: Parts,
  draft: PetDraft,
  idempotency: Idempotency | undefined,
): Promise<PetInsertion> {
  if (!idempotency) return { kind: 'inserted', id: await insertNew(database, draft) }
  const { scope, key, fingerprint, until } = idempotency
  for (let tries = 1; ; tries += 1) {
    const earlier = await earlierUse(database, idempotency)
    if (earlier) return earlier
    try {
      const id = await insertNew(database, draft, { idempotency: { scope, key, fingerprint, until } })
      return { kind: 'inserted', id }
    } catch (error) {
      if (!isDuplicateOf(error, 'idempotency.scope') || tries === MAX_TRIES) throw error
    }
  }
}

async function insertNew(
  database: Parts,
  { name, tag, category }: PetDraft,
  more: Pick<PetDocument, 'idempotency'> = {},
): Promise<PetId> {
  const pet = {
    name,
    ...(tag !== undefined && { tag }),
    ...(category !== undefined && { category }),
    revision: FIRST_REVISION,
    ...more,
  }
  return await insertCounted<PetId>(database, 'pets', (_id) => insertOwn(database.pets, { _id, ...pet }))
}

async function earlierUse(
  { pets }: Parts,
  { scope, key, fingerprint, at }: Idempotency,
): Promise<PetInsertion | undefined> {
  const pet = await pets.findOne({ 'idempotency.scope': scope, 'idempotency.key': key })
  if (!pet?.idempotency) return undefined
  const { until } = pet.idempotency
  if (at >= until) {
    const expired = { _id: pet._id, 'idempotency.until': until }
    if (pet.removed) await pets.deleteOne(expired)
    else await pets.updateOne({ ...expired, ...NOT_REMOVED }, FREE_KEY)
    return undefined
  }
  return pet.idempotency.fingerprint === fingerprint
    ? { kind: 'repeated', id: pet._id }
    : { kind: 'key-reused' }
}
