import type { PetId, PetPage } from '../../domain/catalogue/pet.js'
import type { PageLimit } from '../../domain/page-limit.js'
import type { Pets } from '../../ports/pets.js'
import type { Database } from './database.js'
import { FREE_KEY, NOT_REMOVED, petOf, PETS_BY_ID, petsOf } from './documents.js'
import { findPet, patchPet, removePet } from './pet-changes.js'
import { insertPet } from './pet-insertion.js'

/** The catalogue. A page is a range of an index, so neither its depth costs anything nor what was removed before it. */
export function createPets(database: Database): Pets {
  const { pets, run } = database

  async function page(after: PetId, limit: PageLimit): Promise<PetPage> {
    const above = { _id: { $gt: after }, ...NOT_REMOVED }
    const documents = await pets.find(above, { sort: PETS_BY_ID, limit: limit + 1 }).toArray()
    const found = petsOf(documents.slice(0, limit))
    const last = found.at(-1)
    return documents.length > limit && last ? { pets: found, next: last.id } : { pets: found }
  }

  async function purge(at: number, limit: number): Promise<number> {
    const over = { 'idempotency.until': { $lte: at } }
    const options = { sort: { 'idempotency.until': 1 }, limit, projection: { _id: 1 } } as const
    const ids = (await pets.find(over, options).toArray()).map((pet) => pet._id)
    if (ids.length === 0) return 0
    const these = { _id: { $in: ids }, ...over }
    const { deletedCount } = await pets.deleteMany({ ...these, removed: true })
    return deletedCount + (await pets.updateMany({ ...these, ...NOT_REMOVED }, FREE_KEY)).modifiedCount
  }

  return {
    insert: (draft, idempotency) => run(() => insertPet(database, draft, idempotency)),
    find: (id) =>
      run(async () => {
        const document = await findPet(pets, id)
        return document && petOf(document)
      }),
    findMany: (ids) =>
      run(async () => {
        const named = { _id: { $in: [...ids] } }
        return petsOf(await pets.find(named, { sort: { _id: 1 } }).toArray())
      }),
    page: (after, limit) => run(() => page(after ?? (0 as PetId), limit)),
    patch: (id, change, expected) => run(() => patchPet(pets, { id, change, expected })),
    remove: (id, expected) => run(() => removePet(pets, id, expected)),
    purgeIdempotencyKeys: (at, limit) => run(() => purge(at, limit)),
  }
}
