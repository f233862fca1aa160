import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { lawsOf } from '../../src/contracts/index.js'
import { aPet, pageLimitOf } from '../../src/contracts/samples.js'
import type { Pet, PetId } from '../../src/domain/catalogue/pet.js'
import { combineStores } from '../../src/embedding/combine-stores.js'
import type { Pets } from '../../src/ports/pets.js'
import { everybodyElse } from './broken/bug.js'
import { describeStoreLaws } from './describe-store-laws.js'

describeStoreLaws('the memory store', async () => createMemoryStore())

describeStoreLaws('a store that is combined of three', async () => {
  const { accounts, roles, sessions, apiKeys, revocations, secondFactors } = createMemoryStore()
  const { pets, projects } = createMemoryStore()
  return combineStores(
    createMemoryStore(),
    { accounts, roles, sessions, apiKeys, revocations, secondFactors },
    { pets, projects },
  )
})

describe('a store that acknowledges pet 2 before pet 1', () => {
  const open = () => {
    const store = createMemoryStore()
    return { ...store, pets: delayed(store.pets) }
  }

  describeStoreLaws('it', async () => open(), lawsOf('pets'))

  it('shows pet 1 to a walk from the beginning, and not to a walk that has passed pet 2', async () => {
    const { pets } = open()
    const first = pets.insert(aPet('Rex'))
    const second = await pets.insert(aPet('Mia'))
    const idsOn = async (after: PetId | undefined) =>
      (await pets.page(after, pageLimitOf(10))).pets.map(({ id }) => Number(id))
    expect(second).to.deep.equal({ kind: 'inserted', id: 2 })
    expect(await idsOn(undefined)).to.deep.equal([2])
    expect(await first).to.deep.equal({ kind: 'inserted', id: 1 })
    expect(await idsOn(2 as PetId)).to.deep.equal([])
    expect(await idsOn(undefined)).to.deep.equal([1, 2])
  })
})

/**
 * The pets of a store that counts first and writes later, as MongoDB does: every second pet is acknowledged after pets
 * with greater IDs. That breaks no law.
 */
function delayed(inner: Pets): Pets {
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
    async page(after, limit) {
      const pets = (await inner.page(after, pageLimitOf(1_000))).pets.filter(seen)
      const shown = pets.slice(0, limit)
      const last = shown.at(-1)
      return pets.length > limit && last ? { pets: shown, next: last.id } : { pets: shown }
    },
  }
}
