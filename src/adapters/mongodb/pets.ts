import type { PageLimit, PetPage } from '../../domain/catalogue/page.js'
import type { Pet, PetId, Revision } from '../../domain/catalogue/pet.js'
import { changeTraits, type TraitsChange } from '../../domain/catalogue/traits.js'
import type { PetPatch, Pets } from '../../ports/pets.js'
import type { Database } from './database.js'
import type { PetDocument } from './documents.js'
import { insertPet } from './pet-insertion.js'

const NO_TRAITS = { $unset: { traits: true } } as const

/** The catalogue. A page is a range of the ids, so its depth costs nothing. */
export function createPets(database: Database): Pets {
  const { pets, run } = database

  /** Compare-and-swap on the revision, again for as long as another caller was faster. */
  async function patch(id: PetId, change: TraitsChange, expected?: readonly Revision[]): Promise<PetPatch> {
    for (;;) {
      const before = await pets.findOne({ _id: id })
      if (!before) return { kind: 'unknown' }
      const { revision } = before
      if (expected && !expected.includes(revision)) return { kind: 'stale' }
      const traits = changeTraits(before.traits, change)
      const swap = { ...(traits ? { $set: { traits } } : NO_TRAITS), $inc: { revision: 1 } }
      const { matchedCount } = await pets.updateOne({ _id: id, revision }, swap)
      if (matchedCount === 1) {
        const { traits: _, ...pet } = petOf(before)
        const next = (revision + 1) as Revision
        return { kind: 'patched', pet: { ...pet, revision: next, ...(traits && { traits }) } }
      }
    }
  }

  async function page(after: PetId, limit: PageLimit): Promise<PetPage> {
    const above = { _id: { $gt: after } }
    const documents = await pets.find(above, { sort: { _id: 1 }, limit: limit + 1 }).toArray()
    const found = documents.slice(0, limit).map(petOf)
    const last = found.at(-1)
    return documents.length > limit && last ? { pets: found, next: last.id } : { pets: found }
  }

  async function purge(at: number, limit: number): Promise<number> {
    const over = { 'idempotency.until': { $lte: at } }
    const options = { sort: { 'idempotency.until': 1 }, limit, projection: { _id: 1 } } as const
    const ids = (await pets.find(over, options).toArray()).map((pet) => pet._id)
    if (ids.length === 0) return 0
    const free = { $unset: { idempotency: true } } as const
    return (await pets.updateMany({ _id: { $in: ids }, ...over }, free)).modifiedCount
  }

  return {
    insert: (draft, idempotency) => run(() => insertPet(database, draft, idempotency)),
    find: (id) =>
      run(async () => {
        const document = await pets.findOne({ _id: id })
        return document === null ? undefined : petOf(document)
      }),
    findMany: (ids) =>
      run(async () => {
        const named = { _id: { $in: [...ids] } }
        return (await pets.find(named, { sort: { _id: 1 } }).toArray()).map(petOf)
      }),
    page: (after, limit) => run(() => page(after ?? (0 as PetId), limit)),
    patch: (id, change, expected) => run(() => patch(id, change, expected)),
    purgeIdempotencyKeys: (at, limit) => run(() => purge(at, limit)),
  }
}

export function petOf({ _id, idempotency: _, ...rest }: PetDocument): Pet {
  return { id: _id, ...rest }
}
