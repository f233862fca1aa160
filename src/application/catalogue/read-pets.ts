import { petIds } from '../../domain/catalogue/pet-ids.js'
import type { Pet } from '../../domain/catalogue/pet.js'
import type { Pets } from '../../ports/pets.js'
import { fields, listOf, number, ruled } from '../fields.js'
import { operation } from '../operation.js'

/** The existing pets among `ids`, each once, ascending by ID. A caller that can list all pets can read some of them. */
export const readPets = operation({
  permission: ['pets', 'list'],
  input: fields({ ids: ruled(listOf(number), petIds) }),
  parts: ['pets'],
  run:
    ({ pets }: { pets: Pets }) =>
    async ({ ids }): Promise<readonly Pet[]> =>
      ids.length === 0 ? [] : await pets.findMany(ids),
})
