import type { Pet, PetId } from '../../domain/catalogue/pet.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import type { Pets } from '../../ports/pets.js'
import { assertProven, type Authorized } from '../access/authorize.js'

/** One pet. `id` is `undefined` where the caller named no possible id. Refuses with `not-found`. */
export type ReadPet = (input: {
  authorized: Authorized<'pets', 'read'>
  id: PetId | undefined
}) => Promise<Pet>

/** Takes the proof of `pets: read`. */
export function createReadPet(parts: { pets: Pets }): ReadPet {
  return async ({ authorized, id }) => {
    assertProven(authorized)
    const pet = id === undefined ? undefined : await parts.pets.find(id)
    if (!pet) throw noSuchPet()
    return pet
  }
}

export function noSuchPet(): Refusal {
  return refuse('not-found', 'NotFound', 'There is no pet with this id.')
}
