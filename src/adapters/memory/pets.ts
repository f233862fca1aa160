import type { Pet, PetDraft, PetId, Revision } from '../../domain/catalogue/pet.js'
import { changeTraits } from '../../domain/catalogue/traits.js'
import { pageOf } from '../../domain/page-limit.js'
import type { OptionalCalls } from '../../ports/calls/store.js'
import type { Idempotency, Pets } from '../../ports/pets.js'
import type { SyncPort } from '../../application/wrap-port.js'
import { createAscending } from './ascending.js'
import { createDeadlines } from './deadlines.js'

type SpentKey = Pick<Idempotency, 'fingerprint' | 'until'> & { readonly petId: PetId }

const FIRST_REVISION = 1 as Revision

/** Without the optional calls, which their fallbacks make. */
export function memoryPets(): SyncPort<Omit<Pets, OptionalCalls['pets']>> {
  const pets = createAscending<PetId, Pet>()
  const spentKeys = createDeadlines<string, SpentKey>()

  function keep(draft: PetDraft): PetId {
    return pets.add((id) => ({ ...draft, id, revision: FIRST_REVISION }))
  }

  return {
    insert(draft, idempotency) {
      if (!idempotency) return { kind: 'inserted', id: keep(draft) }
      // As JSON, different pairs are different names.
      const name = JSON.stringify([idempotency.scope, idempotency.key])
      const spent = spentKeys.get(name)
      if (spent && idempotency.at < spent.until) {
        return spent.fingerprint === idempotency.fingerprint
          ? { kind: 'repeated', id: spent.petId }
          : { kind: 'key-reused' }
      }
      const id = keep(draft)
      const { fingerprint, until } = idempotency
      spentKeys.set(name, until, { fingerprint, until, petId: id })
      return { kind: 'inserted', id }
    },
    find: (id) => pets.get(id),
    page: (after, limit) => pageOf('pets', pets.page(after, limit + 1), limit),
    patch(id, change, expected) {
      const before = pets.get(id)
      if (!before) return { kind: 'unknown' }
      if (expected && !expected.includes(before.revision)) return { kind: 'stale' }
      const { traits: earlier, revision, ...rest } = before
      const traits = changeTraits(earlier, change)
      const pet = { ...rest, revision: (revision + 1) as Revision, ...(traits && { traits }) }
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
    purgeIdempotencyKeys: (at, limit) => spentKeys.takeOver(at, limit).length,
  }
}
