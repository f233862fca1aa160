import { expect } from 'chai'
import { ANONYMOUS } from '../../../src/domain/access/caller.js'
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

  it('changes traits, takes away what is null, and counts the revision on', async () => {
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

  it('with expected revisions changes only one that has one of them', async () => {
    const { revision } = (await kennel.store.pets.find(1 as PetId))!
    const next = await patch(1, AGED, [revision + 7, revision])
    expect(await codeOf(patch(1, AGELESS, [revision]))).to.equal('stale')
    expect(await kennel.store.pets.find(1 as PetId)).to.deep.equal(next)
  })

  it('says that there is no such pet, also of what is no id, before it looks at a revision', async () => {
    for (const id of [2, undefined]) expect(await codeOf(patch(id, AGED, [1]))).to.equal('not-found')
  })

  it('does not ask the store for what is no id', async () => {
    const patch = () => Promise.reject(new Error('the store was asked'))
    const store = { ...kennel.store, pets: { ...kennel.store.pets, patch } }
    const { useCases } = await composeUseCases({ store: store })
    const refused = useCases.patchPet({ caller: program(1), id: undefined, change: AGED })
    expect(await codeOf(refused)).to.equal('not-found')
  })

  it('is refused without the permission, before it is said whether there is one', async () => {
    for (const id of [1, 2, undefined])
      expect(await codeOf(patch(id, AGED, undefined, ANONYMOUS))).to.equal('unauthenticated')
  })
})
