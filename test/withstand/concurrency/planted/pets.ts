import type { PetInsertion } from '../../../../src/ports/pets.js'
import type { Store } from '../../../../src/ports/store.js'
import { gap } from './gap.js'

/** An idempotency key is looked up, and kept when the pet is made: of two at once each makes one. */
export function secondPet(store: Store): Store {
  const made = new Map<string, { readonly fingerprint: string; readonly answer: PetInsertion }>()
  return {
    ...store,
    pets: {
      ...store.pets,
      insert: async (draft, idempotency) => {
        if (!idempotency) return await store.pets.insert(draft)
        const name = JSON.stringify([idempotency.scope, idempotency.key])
        const before = made.get(name)
        if (before)
          return before.fingerprint === idempotency.fingerprint ? before.answer : { kind: 'key-reused' }
        await gap()
        const answer = await store.pets.insert(draft)
        made.set(name, { fingerprint: idempotency.fingerprint, answer })
        return answer
      },
    },
  }
}

/** A revision is compared, and the pet written later: of two that expect one revision both are made. */
export function secondPatch(store: Store): Store {
  return {
    ...store,
    pets: {
      ...store.pets,
      patch: async (id, change, expected) => {
        const pet = await store.pets.find(id)
        if (pet && expected && !expected.includes(pet.revision)) return { kind: 'stale' }
        await gap()
        return await store.pets.patch(id, change)
      },
    },
  }
}
