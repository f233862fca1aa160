import { expect } from 'chai'
import type { PageLimit } from '../../../src/domain/page-limit.js'
import type { PetId } from '../../../src/domain/catalogue/pet.js'
import { draft, program } from '../../support/pet-drafts.js'
import { composeUseCases, type Composed } from '../../support/use-cases.js'

describe('list pets', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    for (let n = 1; n <= 25; n += 1) await kennel.store.pets.insert(draft(`Rex ${n}`))
  })

  const list = (page: { limit?: number; after?: number } = {}) =>
    kennel.useCases.listPets({
      caller: program(1),
      ...(page.limit !== undefined && { limit: page.limit as PageLimit }),
      ...(page.after !== undefined && { after: page.after as PetId }),
    })
  const idsOf = async (page: ReturnType<typeof list>) => (await page).pets.map(({ id }) => Number(id))

  it('gives twenty pets by default in the order of their IDs, and continues after a pet', async () => {
    expect(await idsOf(list())).to.deep.equal(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(await idsOf(list({ after: 20 }))).to.deep.equal([21, 22, 23, 24, 25])
    expect(await idsOf(list({ limit: 2, after: 3 }))).to.deep.equal([4, 5])
    expect(await idsOf(list({ after: 25 }))).to.deep.equal([])
  })
})
