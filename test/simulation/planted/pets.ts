import type { ApiKey } from '../../../src/domain/access/api-key.js'
import type { PetInsertion } from '../../../src/ports/pets.js'
import { inStore, inUseCases, type Change, type PlantedBugs } from './changes.js'

const ownKeys: Change<'pets'> = ({ insert }) => {
  const known = new Map<string, PetInsertion>()
  return {
    async insert(draft, idempotency) {
      if (!idempotency) return await insert(draft)
      const name = JSON.stringify([idempotency.scope, idempotency.key])
      const made = known.get(name) ?? (await insert(draft))
      known.set(name, made)
      return made
    },
  }
}

const cachedKeys: Change<'apiKeys'> = ({ find }) => {
  const known = new Map<string, ApiKey>()
  return {
    async find(digest, at) {
      const key = known.get(digest) ?? (await find(digest, at))
      if (key) known.set(digest, key)
      return key
    },
  }
}

export const PETS: PlantedBugs = {
  'an idempotency key has two owners': inUseCases('pets', ({ insert }) => ({
    insert: async (draft, idempotency) =>
      await insert(draft, idempotency && { ...idempotency, scope: 'all' }),
  })),
  'a reused idempotency key returns the earlier pet': inStore('pets', ({ insert }) => ({
    insert: async (draft, idempotency) =>
      await insert(draft, idempotency && { ...idempotency, fingerprint: '' }),
  })),
  'each instance has its own idempotency keys': inUseCases('pets', ownKeys),
  'a pet is compared and changed in two calls': inUseCases('pets', ({ find, patch }) => ({
    async patch(id, change, expected) {
      const pet = await find(id)
      if (pet && expected && !expected.includes(pet.revision)) return { kind: 'stale' }
      return await patch(id, change)
    },
  })),
  'a removal ignores the revision': inStore('pets', ({ remove }) => ({
    remove: async (id) => await remove(id),
  })),
  'a revoked API key stays in a cache': inUseCases('apiKeys', cachedKeys),
}
