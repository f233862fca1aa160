import type { Pet, PetId, Revision } from '../../domain/catalogue/pet.js'
import type { TraitsChange } from '../../domain/catalogue/traits.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import type { Pets } from '../../ports/pets.js'
import { assertProven, type Authorized } from '../access/authorize.js'
import { noSuchPet } from './read-pet.js'

/**
 * Changes a pet's traits; what is null is taken away. With `expected`, only where the pet's revision is one of them.
 * Refuses with `not-found` and `stale`.
 */
export type PatchPet = (input: {
  authorized: Authorized<'pets', 'update'>
  id: PetId | undefined
  change: TraitsChange
  expected?: readonly Revision[]
}) => Promise<Pet>

/** Takes the proof of `pets: update`. */
export function createPatchPet(parts: { pets: Pets }): PatchPet {
  return async ({ authorized, id, change, expected }) => {
    assertProven(authorized)
    if (id === undefined) throw noSuchPet()
    const outcome = await parts.pets.patch(id, change, expected)
    if (outcome.kind === 'patched') return outcome.pet
    if (outcome.kind === 'unknown') throw noSuchPet()
    throw petHasChanged()
  }
}

export function petHasChanged(): Refusal {
  return refuse('stale', 'Conflict', 'The pet has changed since it was read.')
}
