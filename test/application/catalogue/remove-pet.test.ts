import { expect } from 'chai'
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

  it('with expected revisions removes only a pet with such a revision', async () => {
    expect(await codeOf(remove(1, [7]))).to.equal('stale')
    expect(await codeOf(remove(1, []))).to.equal('stale')
    await remove(1, [7, 1])
    expect(await kennel.store.pets.find(1 as PetId)).to.equal(undefined)
  })
})
