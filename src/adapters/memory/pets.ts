import { type Pet, type PetDraft, type PetId, type Revision, changedPet } from '../../domain/catalogue/pet.js'
import { pageOf } from '../../domain/page-limit.js'
import type { RequiredCalls } from '../../ports/calls/store.js'
import type { Idempotency } from '../../ports/pets.js'
import type { SyncPort } from '../../application/wrap-port.js'
import { createAscending, createDeadlines } from './collections.js'

type UsedKey = Pick<Idempotency, 'fingerprint' | 'until'> & { readonly petId: PetId }

const FIRST_REVISION = 1 as Revision

/** Stores pets in memory and implements only the required calls, so that the contract tests also cover the fallbacks of `completePort`. */
export function memoryPets(): SyncPort<RequiredCalls<'pets'>> {
  const pets = createAscending<PetId, Pet>()
  const usedKeys = createDeadlines<string, UsedKey>()

  function add(draft: PetDraft): PetId {
    return pets.add((id) => ({ ...draft, id, revision: FIRST_REVISION }))
  }

  return {
    insert(draft, idempotency) {
      if (!idempotency) return { kind: 'inserted', id: add(draft) }
      // A JSON array, because a plain concatenation of scope and key would be ambiguous.
      const name = JSON.stringify([idempotency.scope, idempotency.key])
      const used = usedKeys.get(name)
      if (used && idempotency.at < used.until) {
        return used.fingerprint === idempotency.fingerprint
          ? { kind: 'repeated', id: used.petId }
          : { kind: 'key-reused' }
      }
      const id = add(draft)
      const { fingerprint, until } = idempotency
      usedKeys.set(name, until, { fingerprint, until, petId: id })
      return { kind: 'inserted', id }
    },
    find: (id) => pets.get(id),
    page: (after, limit) => pageOf('pets', pets.page(after, limit + 1), limit),
    patch(id, change, expected) {
      const before = pets.get(id)
      if (!before) return { kind: 'unknown' }
      if (expected && !expected.includes(before.revision)) return { kind: 'stale' }
      const pet = changedPet(before, change)
      pets.replace(id, pet)
      return { kind: 'patched', pet }
    },
    remove(id, expected) {
      const pet = pets.get(id)
      if (!pet) return 'unknown'
      if (expected && !expected.includes(pet.revision)) return 'stale'
      pets.delete(id)
      return 'removed'
    },
    purgeIdempotencyKeys: (at, limit) => usedKeys.takeOver(at, limit).length,
  }
}
