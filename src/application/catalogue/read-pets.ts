import type { Caller } from '../../domain/access/caller.js'
import type { PetIds } from '../../domain/catalogue/pet-ids.js'
import type { Pet } from '../../domain/catalogue/pet.js'
import type { Pets } from '../../ports/pets.js'
import type { Authorize } from '../access/authorize.js'

/**
 * Those of these pets that are there, in ascending order of id, each once. Refuses with
 * `unauthenticated` or `forbidden`.
 */
export type ReadPets = (input: { caller: Caller; ids: PetIds }) => Promise<readonly Pet[]>

/** Needs the grant `pets: list`: whoever may see all pets may see some. */
export function createReadPets(parts: { authorize: Authorize; pets: Pets }): ReadPets {
  return async ({ caller, ids }) => {
    parts.authorize(caller, 'pets', 'list')
    return ids.length === 0 ? [] : await parts.pets.findMany(ids)
  }
}
