import type { Pet, PetId, PetPage } from '../../../../src/domain/catalogue/pet.js'
import type { PageLimit } from '../../../../src/domain/page-limit.js'
import type { Pets } from '../../../../src/ports/pets.js'
import { everybodyElse } from '../breakage.js'

/**
 * The pets of a store that counts first and writes later, as that of MongoDB does: every second one is seen, and
 * acknowledged, after others with greater ids. That breaks no law.
 */
export function delayed(inner: Pets): Pets {
  const unseen = new Set<PetId>()
  const seen = (pet: Pet | undefined) => (pet && unseen.has(pet.id) ? undefined : pet)
  return {
    ...inner,
    async insert(draft, idempotency) {
      const answer = await inner.insert(draft, idempotency)
      if (idempotency || answer.kind !== 'inserted' || answer.id % 2 === 0) return answer
      unseen.add(answer.id)
      await everybodyElse()
      unseen.delete(answer.id)
      return answer
    },
    find: async (id) => seen(await inner.find(id)),
    findMany: async (ids) => (await inner.findMany(ids)).filter(seen),
    page: async (after, limit) => pageOf((await allOf(inner, after)).filter(seen), limit),
  }
}

/** Each page begins behind as many pets as the pages before it have shown. */
export function counted(inner: Pets): Pets {
  const offsets = new Map<PetId | undefined, number>([[undefined, 0]])
  return {
    ...inner,
    async page(after, limit) {
      const offset = offsets.get(after) ?? 0
      const page = pageOf((await allOf(inner, undefined)).slice(offset), limit)
      if (page.next !== undefined) offsets.set(page.next, offset + limit)
      return page
    },
  }
}

async function allOf(pets: Pets, after: PetId | undefined): Promise<readonly Pet[]> {
  return (await pets.page(after, 1_000 as PageLimit)).pets
}

function pageOf(pets: readonly Pet[], limit: PageLimit): PetPage {
  const shown = pets.slice(0, limit)
  const last = shown.at(-1)
  return pets.length > limit && last ? { pets: shown, next: last.id } : { pets: shown }
}
