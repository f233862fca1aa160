import { expect } from 'chai'
import { ANONYMOUS } from '../../../src/domain/access/caller.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import type { PetId, Revision } from '../../../src/domain/catalogue/pet.js'
import { draft, program } from '../../support/pet-drafts.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../support/use-cases.js'

const KEEPERS = { roles: { ...DEFAULT_PERMISSIONS.roles, user: { components: { pets: ['*'] } } } }

describe('remove pet', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases({ permissions: KEEPERS })
    await kennel.store.pets.insert(draft('Rex'))
  })

  const remove = (id: number | undefined, expected?: readonly number[], caller = program(1)) =>
    kennel.useCases.removePet({
      caller,
      id: id as PetId | undefined,
      ...(expected && { expected: expected as Revision[] }),
    })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('takes the pet away, once', async () => {
    await remove(1)
    expect(await kennel.store.pets.find(1 as PetId)).to.equal(undefined)
    expect(await codeOf(remove(1))).to.equal('not-found')
  })

  it('with expected revisions removes only one that has one of them', async () => {
    expect(await codeOf(remove(1, [7]))).to.equal('stale')
    expect(await codeOf(remove(1, []))).to.equal('stale')
    await remove(1, [7, 1])
    expect(await kennel.store.pets.find(1 as PetId)).to.equal(undefined)
  })

  it('says that there is no such pet, also of what is no id, before it looks at a revision', async () => {
    for (const id of [2, undefined]) expect(await codeOf(remove(id, [1]))).to.equal('not-found')
  })

  it('does not ask the store for what is no id', async () => {
    const remove = () => Promise.reject(new Error('the store was asked'))
    const store = { ...kennel.store, pets: { ...kennel.store.pets, remove } }
    const { useCases } = await composeUseCases({ store: store, permissions: KEEPERS })
    const refused = useCases.removePet({ caller: program(1), id: undefined })
    expect(await codeOf(refused)).to.equal('not-found')
  })

  it('is refused without the permission, before it is said whether there is one', async () => {
    for (const id of [1, 2, undefined])
      expect(await codeOf(remove(id, undefined, ANONYMOUS))).to.equal('unauthenticated')
    kennel = await composeUseCases()
    expect(await codeOf(remove(1))).to.equal('forbidden')
  })
})
