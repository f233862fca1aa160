import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { lawsOf } from '../../src/contracts/index.js'
import { aPet, pageLimitOf } from '../../src/contracts/samples.js'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import { combineStores } from '../../src/embedding/combine-stores.js'
import { delayed } from './broken/pets.js'
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

describeStoreLaws(
  'a store that lacks an optional call',
  async () => {
    const { pets, ...others } = createMemoryStore()
    const { findMany: _, ...older } = pets
    return { ...others, pets: older }
  },
  lawsOf('pets'),
)

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
