import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { lawsOf } from '../../src/contracts/index.js'
import { aPet, pageLimitOf } from '../../src/contracts/samples.js'
import { describeStoreLaws } from './describe-store-laws.js'
import { delayed } from './broken/pets.js'

describe('a store that acknowledges 2 before 1', () => {
  const open = () => {
    const store = createMemoryStore()
    return { ...store, pets: delayed(store.pets) }
  }

  describeStoreLaws('it', async () => open(), lawsOf('pets'))

  it('lets who goes on from an earlier place miss 1, and who begins anew see both', async () => {
    const { pets } = open()
    const first = pets.insert(aPet('Rex'))
    const second = await pets.insert(aPet('Mia'))
    const idsOn = async (after: Parameters<typeof pets.page>[0]) =>
      (await pets.page(after, pageLimitOf(10))).pets.map(({ id }) => Number(id))
    expect(second).to.deep.equal({ kind: 'inserted', id: 2 })
    expect(await idsOn(undefined)).to.deep.equal([2])
    expect(await first).to.deep.equal({ kind: 'inserted', id: 1 })
    expect(await idsOn(2 as never)).to.deep.equal([])
    expect(await idsOn(undefined)).to.deep.equal([1, 2])
  })
})
