import { expect } from 'chai'
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

  it('gives the same answer for an unknown and an impossible ID', async () => {
    const [none, no] = await Promise.all([refusalOf(read(2)), refusalOf(read(undefined))])
    expect([none.code, none.messages]).to.deep.equal([no.code, no.messages])
    expect(none.code).to.equal('not-found')
  })
})
