import type { Caller } from '../../domain/access/caller.js'
import { PAGE_LIMIT_DEFAULT, type PageLimit, type PetPage } from '../../domain/catalogue/page.js'
import type { PetId } from '../../domain/catalogue/pet.js'
import type { Pets } from '../../ports/pets.js'
import type { Authorize } from '../access/authorize.js'

/** One page of the catalogue, 20 pets unless told. Refuses with `unauthenticated` or `forbidden`. */
export type ListPets = (input: { caller: Caller; limit?: PageLimit; after?: PetId }) => Promise<PetPage>

/** Needs the grant `pets: list`. */
export function createListPets(parts: { authorize: Authorize; pets: Pets }): ListPets {
  return async ({ caller, limit = PAGE_LIMIT_DEFAULT, after }) => {
    parts.authorize(caller, 'pets', 'list')
    return await parts.pets.page(after, limit)
  }
}
