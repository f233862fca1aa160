import type { PetId, Revision } from '../../domain/catalogue/pet.js'
import type { Pets } from '../../ports/pets.js'
import { fields, id, listOf, optional } from '../fields.js'
import { possibleId } from '../inputs.js'
import { operation } from '../operation.js'
import { petHasChanged } from './patch-pet.js'
import { noSuchPet } from './read-pet.js'

/**
 * Removes a pet; its ID is never reused. With `expected`, only if its revision is in this list. Refuses with `not-found`
 * and `stale`.
 */
export const removePet = operation({
  permission: ['pets', 'delete'],
  input: fields({ id: possibleId<PetId>(), expected: optional(listOf(id<Revision>())) }),
  parts: ['pets'],
  run:
    ({ pets }: { pets: Pets }) =>
    async ({ id, expected }) => {
      const outcome = id === undefined ? 'unknown' : await pets.remove(id, expected)
      if (outcome === 'unknown') throw noSuchPet()
      if (outcome === 'stale') throw petHasChanged()
    },
})
