import type { PetIds } from '../../domain/catalogue/pet-ids.js'
import type { Pet } from '../../domain/catalogue/pet.js'
import type { Pets } from '../../ports/pets.js'
import { assertProven, type Authorized } from '../access/authorize.js'

/**
 * Those of these pets that are there, in ascending order of id, each once. Refuses with
 * `unauthenticated` or `forbidden`.
 */
export type ReadPets = (input: {
  authorized: Authorized<'pets', 'list'>
  ids: PetIds
}) => Promise<readonly Pet[]>

/** Takes the proof of `pets: list`: a caller who may see all pets may see some. */
export function createReadPets(parts: { pets: Pets }): ReadPets {
  return async ({ authorized, ids }) => {
    assertProven(authorized)
    return ids.length === 0 ? [] : await parts.pets.findMany(ids)
  }
}
