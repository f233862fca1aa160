import type { PetId, Revision } from '../../domain/catalogue/pet.js'
import { changeTraits } from '../../domain/catalogue/traits.js'
import { pageOf } from '../../domain/page-limit.js'
import type { Pets } from '../../ports/pets.js'
import type { Database } from './database.js'
import { FREE_KEY, isThere, NOT_REMOVED, petOf, PETS_BY_ID, petsOf, type PetDocument } from './documents.js'
import { insertPet } from './pet-insertion.js'

/** The catalogue. A page is a range of an index: neither its depth nor the removed pets before it cost anything. */
export function createPets(database: Database): Pets {
  const { pets } = database

  /** The pet, unless it was removed. */
  async function there(_id: PetId): Promise<PetDocument | undefined> {
    const document = await pets.findOne({ _id })
    return document && isThere(document) ? document : undefined
  }

  return {
    insert: (draft, idempotency) => insertPet(database, draft, idempotency),
    async find(id) {
      const document = await there(id)
      return document && petOf(document)
    },
    findMany: async (ids) =>
      petsOf(await pets.find({ _id: { $in: [...ids] } }, { sort: { _id: 1 } }).toArray()),
    async page(after = 0 as PetId, limit) {
      const above = { _id: { $gt: after }, ...NOT_REMOVED }
      const found = await pets.find(above, { sort: PETS_BY_ID, limit: limit + 1 }).toArray()
      return pageOf('pets', petsOf(found), limit)
    },
    /** Compare-and-swap on the revision, repeated while another caller was faster. */
    async patch(id, change, expected) {
      for (;;) {
        const before = await there(id)
        if (!before) return { kind: 'unknown' }
        const { revision } = before
        if (expected && !expected.includes(revision)) return { kind: 'stale' }
        const traits = changeTraits(before.traits, change)
        const changed = traits ? { $set: { traits } } : ({ $unset: { traits: true } } as const)
        const swap = { ...changed, $inc: { revision: 1 } }
        if ((await pets.updateOne({ _id: id, revision }, swap)).matchedCount === 0) continue
        const { traits: _, ...pet } = petOf(before)
        const next = (revision + 1) as Revision
        return { kind: 'patched', pet: { ...pet, revision: next, ...(traits && { traits }) } }
      }
    },
    /** The same. The document of a pet holds its idempotency key, which has to last, so a part of the document stays. */
    async remove(_id, expected) {
      for (;;) {
        const before = await there(_id)
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
      const over = { 'idempotency.until': { $lte: at } }
      const options = { sort: { 'idempotency.until': 1 }, limit, projection: { _id: 1 } } as const
      const ids = (await pets.find(over, options).toArray()).map((pet) => pet._id)
      if (ids.length === 0) return 0
      const these = { _id: { $in: ids }, ...over }
      const { deletedCount } = await pets.deleteMany({ ...these, removed: true })
      return deletedCount + (await pets.updateMany({ ...these, ...NOT_REMOVED }, FREE_KEY)).modifiedCount
    },
  }
}
