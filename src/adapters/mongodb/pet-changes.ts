import type { PetId, Revision } from '../../domain/catalogue/pet.js'
import { changeTraits, type TraitsChange } from '../../domain/catalogue/traits.js'
import type { PetPatch, PetRemoval } from '../../ports/pets.js'
import type { Database } from './database.js'
import { isThere, petOf, type PetDocument } from './documents.js'

type Pets = Database['pets']
type Patch = {
  readonly id: PetId
  readonly change: TraitsChange
  readonly expected: readonly Revision[] | undefined
}

const NO_TRAITS = { $unset: { traits: true } } as const

/** The pet, unless it was removed. */
export async function findPet(pets: Pets, id: PetId): Promise<PetDocument | undefined> {
  const document = await pets.findOne({ _id: id })
  return document && isThere(document) ? document : undefined
}

/** Compare-and-swap on the revision, again for as long as another caller was faster. */
export async function patchPet(pets: Pets, { id, change, expected }: Patch): Promise<PetPatch> {
  for (;;) {
    const before = await findPet(pets, id)
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

/** The same. An idempotency key is in the document of its pet and has to last, so of that one something stays. */
export async function removePet(
  pets: Pets,
  _id: PetId,
  expected: readonly Revision[] | undefined,
): Promise<PetRemoval> {
  for (;;) {
    const before = await findPet(pets, _id)
    if (!before) return 'unknown'
    const { revision, idempotency } = before
    if (expected && !expected.includes(revision)) return 'stale'
    const unchanged = { _id, revision }
    const isRemoved = idempotency
      ? (await pets.replaceOne(unchanged, { removed: true, idempotency })).matchedCount === 1
      : (await pets.deleteOne(unchanged)).deletedCount === 1
    if (isRemoved) return 'removed'
  }
}
