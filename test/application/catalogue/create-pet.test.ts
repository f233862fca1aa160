import { expect } from 'chai'
import { ANONYMOUS, type Caller } from '../../../src/domain/access/caller.js'
import type { IdempotencyKey } from '../../../src/domain/catalogue/idempotency-key.js'
import type { PetDraft, PetId } from '../../../src/domain/catalogue/pet.js'
import type { PetTag } from '../../../src/domain/catalogue/pet.js'
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

  it('adds a pet, the same draft again another one', async () => {
    const ids = [await create(draft('Rex')), await create(draft('Rex'))]
    expect(ids).to.deep.equal([1, 2])
    expect(await kennel.store.pets.find(1 as PetId)).to.include({ name: 'Rex' })
  })

  it('with a key adds one, for this caller and a day', async () => {
    const first = await create(draft('Rex'), KEY)
    kennel.clock.now = START + DAY - 1
    expect(await create(draft('Rex'), KEY)).to.equal(first)
    expect(await create(draft('Rex'), KEY, program(2))).to.equal(first + 1)
    kennel.clock.now = START + DAY
    expect(await create(draft('Rex'), KEY)).to.equal(first + 2)
  })

  it('keeps apart the keys of an account and of a program with the same number', async () => {
    const id = await kennel.account('ada@example.com')
    const ada = await kennel.caller('ada@example.com')
    const first = await create(draft('Rex'), KEY, program(id))
    expect(await create(draft('Rex'), KEY, ada)).to.not.equal(first)
  })

  it('refuses a key that was used for another draft, whatever differs', async () => {
    await create(draft('Rex'), KEY)
    for (const other of [draft('Max'), { ...draft('Rex'), tag: 'dog' as PetTag }]) {
      const { code, messages } = await refusalOf(create(other, KEY))
      expect([code, messages[0]?.field]).to.deep.equal(['idempotency-key-reused', 'Idempotency-Key'])
    }
    expect(await kennel.store.pets.find(2 as PetId)).to.equal(undefined)
  })

  it('is refused without the permission, and adds nothing', async () => {
    expect((await refusalOf(create(draft('Rex'), undefined, ANONYMOUS))).code).to.equal('unauthenticated')
    expect(await kennel.store.pets.find(1 as PetId)).to.equal(undefined)
  })
})
