import { expect } from 'chai'
import type { PetId, Revision } from '../../../src/domain/catalogue/pet.js'
import type { TraitsChange } from '../../../src/domain/catalogue/traits.js'
import { draft, program } from '../../support/pet-drafts.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../support/use-cases.js'

const AGED = { kind: 'cat', age: 3 } as TraitsChange
const AGELESS: TraitsChange = { kind: 'cat', age: null }

describe('patch pet', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.store.pets.insert(draft('Rex'))
  })

  const patch = (id: number | undefined, change = AGED, expected?: readonly number[], caller = program(1)) =>
    kennel.useCases.patchPet({
      caller,
      id: id as PetId | undefined,
      change,
      ...(expected && { expected: expected as Revision[] }),
    })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('changes traits, removes null traits, and increments the revision', async () => {
    const { revision } = (await kennel.store.pets.find(1 as PetId))!
    const aged = await patch(1)
    expect(aged).to.deep.include({
      id: 1,
      name: 'Rex',
      traits: { kind: 'cat', age: 3 },
      revision: revision + 1,
    })
    expect(await patch(1, AGELESS)).to.not.have.nested.property('traits.age')
  })

  it('with expected revisions changes only a pet with such a revision', async () => {
    const { revision } = (await kennel.store.pets.find(1 as PetId))!
    const next = await patch(1, AGED, [revision + 7, revision])
    expect(await codeOf(patch(1, AGELESS, [revision]))).to.equal('stale')
    expect(await kennel.store.pets.find(1 as PetId)).to.deep.equal(next)
  })
})
