import { expect } from 'chai'
import { ANONYMOUS, OPERATOR, type Caller } from '../../../src/domain/access/caller.js'
import type { IdempotencyKey } from '../../../src/domain/catalogue/idempotency-key.js'
import type { PetDraft, PetId } from '../../../src/domain/catalogue/pet.js'
import type { Category, PetTag } from '../../../src/domain/catalogue/pet.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Pets } from '../../../src/ports/pets.js'
import { draft, program } from '../../support/pet-drafts.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

const DAY = 86_400_000
const KEY = 'attempt 1' as IdempotencyKey

describe('create pet', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
  })

  const create = (pet: PetDraft, idempotencyKey?: IdempotencyKey, caller: Caller = program(1)) =>
    kennel.useCases.createPet({ caller, draft: pet, ...(idempotencyKey && { idempotencyKey }) })

  it('adds a pet, and another pet if the same draft is sent again', async () => {
    const ids = [await create(draft('Rex')), await create(draft('Rex'))]
    expect(ids).to.deep.equal([1, 2])
    expect(await kennel.store.pets.find(1 as PetId)).to.include({ name: 'Rex' })
  })

  it('with an idempotency key adds one pet for each caller and day', async () => {
    const first = await create(draft('Rex'), KEY)
    kennel.clock.now = START + DAY - 1
    expect(await create(draft('Rex'), KEY)).to.equal(first)
    expect(await create(draft('Rex'), KEY, program(2))).to.equal(first + 1)
    kennel.clock.now = START + DAY
    expect(await create(draft('Rex'), KEY)).to.equal(first + 2)
  })

  it('keeps keys under the name of each caller, which stays the same when the service is upgraded', async () => {
    const scopes: unknown[] = []
    const insert: Pets['insert'] = async (pet, idempotency) => {
      scopes.push(idempotency?.scope)
      return await kennel.store.pets.insert(pet, idempotency)
    }
    const components = { components: { pets: ['*'] } }
    const permissions = { roles: { everyone: components, user: components, cli: components } }
    const store = { ...kennel.store, pets: { ...kennel.store.pets, insert } }
    const { useCases } = await composeUseCases({ store, permissions })
    await kennel.account('ada@example.com')
    const ada = await kennel.caller('ada@example.com')
    for (const caller of [ada, { ...ada, accountId: 7 as AccountId }, program(7), OPERATOR, ANONYMOUS])
      await useCases.createPet({ caller, draft: draft('Rex'), idempotencyKey: KEY })
    expect(scopes).to.deep.equal(['account:1', 'account:7', 'api-key:7', 'cli', 'anonymous'])
  })

  it('refuses a key that was used for a draft that differs in any member', async () => {
    await create(draft('Rex'), KEY)
    const category = 'dog' as Category
    const others = [draft('Max'), { ...draft('Rex'), tag: 'dog' as PetTag }, { ...draft('Rex'), category }]
    for (const other of others) {
      const { code, messages } = await refusalOf(create(other, KEY))
      expect([code, messages[0]?.field]).to.deep.equal(['idempotency-key-reused', 'Idempotency-Key'])
    }
    expect(await kennel.store.pets.find(2 as PetId)).to.equal(undefined)
  })
})
