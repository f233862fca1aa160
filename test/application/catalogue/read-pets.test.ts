import { expect } from 'chai'
import type { PetIds } from '../../../src/domain/catalogue/pet-ids.js'
import { draft, program } from '../../support/pet-drafts.js'
import { composeUseCases, type Composed } from '../../support/use-cases.js'

describe('read pets', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    for (const name of ['Rex', 'Max', 'Bo']) await kennel.store.pets.insert(draft(name))
  })

  const read = (ids: readonly number[], caller = program(1)) =>
    kennel.useCases.readPets({ caller, ids: ids as unknown as PetIds })

  it('gives the existing pets by ID, each once', async () => {
    expect((await read([3, 9, 1, 3])).map(({ name }) => name)).to.deep.equal(['Rex', 'Bo'])
    expect(await read([])).to.deep.equal([])
  })

  it('does not call the store without IDs', async () => {
    const findMany = () => Promise.reject(new Error('the store was asked'))
    const store = { ...kennel.store, pets: { ...kennel.store.pets, findMany } }
    const { useCases } = await composeUseCases({ store: store })
    expect(await useCases.readPets({ caller: program(1), ids: [] as unknown as PetIds })).to.deep.equal([])
  })
})
