import type { PetId, PetPage } from '../../domain/catalogue/pet.js'
import { PAGE_LIMIT_DEFAULT, type PageLimit } from '../../domain/page-limit.js'
import type { Pets } from '../../ports/pets.js'
import { assertProven, type Authorized } from '../access/authorize.js'

/** One page of the catalogue, 20 pets unless told. Refuses with `unauthenticated` or `forbidden`. */
export type ListPets = (input: {
  authorized: Authorized<'pets', 'list'>
  limit?: PageLimit
  after?: PetId
}) => Promise<PetPage>

/** Takes the proof of `pets: list`. */
export function createListPets(parts: { pets: Pets }): ListPets {
  return async ({ authorized, limit = PAGE_LIMIT_DEFAULT, after }) => {
    assertProven(authorized)
    return await parts.pets.page(after, limit)
  }
}
