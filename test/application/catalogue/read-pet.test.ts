import { expect } from 'chai'
import { ANONYMOUS } from '../../../src/domain/access/caller.js'
import type { PetId } from '../../../src/domain/catalogue/pet.js'
import { draft, program } from '../../support/pet-drafts.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../support/use-cases.js'

describe('read pet', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.store.pets.insert(draft('Rex'))
  })

  const read = (id: number | undefined, caller = program(1)) =>
    kennel.useCases.readPet({ caller, id: id as PetId | undefined })

  it('gives the pet of an id', async () => {
    expect(await read(1)).to.include({ id: 1, name: 'Rex' })
  })

  it('says the same of an id that no pet has and of what is no id', async () => {
    const [none, no] = await Promise.all([refusalOf(read(2)), refusalOf(read(undefined))])
    expect([none.code, none.messages]).to.deep.equal([no.code, no.messages])
    expect(none.code).to.equal('not-found')
  })

  it('does not ask the store for what is no id', async () => {
    const find = () => Promise.reject(new Error('the store was asked'))
    const store = { ...kennel.store, pets: { ...kennel.store.pets, find } }
    const { useCases } = await composeUseCases({ store: store })
    const refused = useCases.readPet({ caller: program(1), id: undefined })
    expect((await refusalOf(refused)).code).to.equal('not-found')
  })

  it('is refused without the permission, before it is said whether there is one', async () => {
    for (const id of [1, 2, undefined])
      expect((await refusalOf(read(id, ANONYMOUS))).code).to.equal('unauthenticated')
  })
})
