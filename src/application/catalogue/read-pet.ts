import type { PetId } from '../../domain/catalogue/pet.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import type { Pets } from '../../ports/pets.js'
import { possibleId } from '../inputs.js'
import { fields } from '../fields.js'
import { operation } from '../operation.js'

/** A pet. Refuses with `not-found`, also if `id` is `undefined` because the client named no possible ID. */
export const readPet = operation({
  permission: ['pets', 'read'],
  input: fields({ id: possibleId<PetId>() }),
  parts: ['pets'],
  run:
    ({ pets }: { pets: Pets }) =>
    async ({ id }) => {
      const pet = id === undefined ? undefined : await pets.find(id)
      if (!pet) throw noSuchPet()
      return pet
    },
})

export function noSuchPet(): Refusal {
  return refuse('not-found', 'NotFound', 'There is no pet with this id.')
}
