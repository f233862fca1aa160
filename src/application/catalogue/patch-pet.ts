import type { PetId, Revision } from '../../domain/catalogue/pet.js'
import { age, breed, type TraitsChange } from '../../domain/catalogue/traits.js'
import { refuse, type Refusal } from '../../domain/refusal.js'
import type { Pets } from '../../ports/pets.js'
import {
  byKind,
  choice,
  fields,
  flag,
  id,
  listOf,
  nullable,
  number,
  optional,
  ruled,
  text,
} from '../fields.js'
import type { Parser } from '../fields.js'
import { possibleId } from '../inputs.js'
import { operation } from '../operation.js'
import { noSuchPet } from './read-pet.js'

const change = byKind<TraitsChange>('must be a change of a cat or of a dog, as its kind says', {
  cat: fields({
    kind: choice(['cat']),
    age: optional(nullable(ruled(number, age))),
    hunts: optional(nullable(flag)),
  }) as Parser<TraitsChange>,
  dog: fields({
    kind: choice(['dog']),
    bark: optional(nullable(flag)),
    breed: optional(nullable(ruled(text, breed))),
  }) as Parser<TraitsChange>,
})

/**
 * Changes traits of a pet; `null` removes a trait. With `expected`, only if its revision is in this list. Refuses with
 * `not-found`, also if `id` is `undefined`, and `stale`.
 */
export const patchPet = operation({
  permission: ['pets', 'update'],
  input: fields({ id: possibleId<PetId>(), change, expected: optional(listOf(id<Revision>())) }),
  parts: ['pets'],
  run:
    ({ pets }: { pets: Pets }) =>
    async ({ id, change, expected }) => {
      if (id === undefined) throw noSuchPet()
      const outcome = await pets.patch(id, change, expected)
      if (outcome.kind === 'patched') return outcome.pet
      if (outcome.kind === 'unknown') throw noSuchPet()
      throw petHasChanged()
    },
})

export function petHasChanged(): Refusal {
  return refuse('stale', 'Conflict', 'The pet has changed since it was read.')
}
