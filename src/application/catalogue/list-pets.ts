import type { PetId } from '../../domain/catalogue/pet.js'
import { PAGE_LIMIT_DEFAULT } from '../../domain/page-limit.js'
import type { Pets } from '../../ports/pets.js'
import { fields, id, optional } from '../fields.js'
import { pageSize } from '../inputs.js'
import { operation } from '../operation.js'

/** One page of the catalogue, 20 pets by default. */
export const listPets = operation({
  permission: ['pets', 'list'],
  input: fields({ limit: optional(pageSize), after: optional(id<PetId>()) }),
  parts: ['pets'],
  run:
    ({ pets }: { pets: Pets }) =>
    async ({ limit = PAGE_LIMIT_DEFAULT, after }) =>
      await pets.page(after, limit),
})
