import type { PetId, Revision } from '../../domain/catalogue/pet.js'
import type { Pets } from '../../ports/pets.js'
import { assertProven, type Authorized } from '../access/authorize.js'
import { petHasChanged } from './patch-pet.js'
import { noSuchPet } from './read-pet.js'

/**
 * Removes a pet; no other one ever gets its id. With `expected`, only where the pet's revision is one of them.
 * Refuses with `not-found` and `stale`.
 */
export type RemovePet = (input: {
  authorized: Authorized<'pets', 'delete'>
  id: PetId | undefined
  expected?: readonly Revision[]
}) => Promise<void>

/** Takes the proof of `pets: delete`. */
export function createRemovePet(parts: { pets: Pets }): RemovePet {
  return async ({ authorized, id, expected }) => {
    assertProven(authorized)
    const outcome = id === undefined ? 'unknown' : await parts.pets.remove(id, expected)
    if (outcome === 'unknown') throw noSuchPet()
    if (outcome === 'stale') throw petHasChanged()
  }
}
