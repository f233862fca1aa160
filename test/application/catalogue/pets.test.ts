import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permission-rules.js'
import { ANONYMOUS, OPERATOR, type Caller } from '../../../src/domain/access/caller.js'
import type { Category, IdempotencyKey, PetDraft, PetId, PetTag } from '../../../src/domain/catalogue/pet.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { PageLimit } from '../../../src/domain/page-limit.js'
import type { Pets } from '../../../src/ports/pets.js'
import { draft, program } from '../../support/pet-drafts.js'
import { codeOf } from '../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

const DAY = 86_400_000
const KEY = 'attempt 1' as IdempotencyKey
const KEEPERS = { roles: { ...DEFAULT_PERMISSIONS.roles, user: { components: { pets: ['*'] } } } }

const caller = program(1)

describe('the catalogue', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases({ permissions: KEEPERS })
  })

  const stored = (id = 1) => kennel.store.pets.find(id as PetId)

  describe('createPet', () => {
    const create = (pet: PetDraft, idempotencyKey?: IdempotencyKey, by: Caller = caller) =>
      kennel.useCases.createPet({ caller: by, draft: pet, idempotencyKey })

    it('adds one pet per idempotency key, per caller and per day', async () => {
      const first = await create(draft('Rex'), KEY)
      kennel.clock.now = START + DAY - 1
      expect(await create(draft('Rex'), KEY)).to.equal(first)
      expect(await create(draft('Rex'), KEY, program(2))).to.equal(first + 1)
      kennel.clock.now = START + DAY
      expect(await create(draft('Rex'), KEY)).to.equal(first + 2)
    })

    it('scopes idempotency keys to the caller, and keeps the scope across upgrades', async () => {
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
      for (const by of [ada, { ...ada, accountId: 7 as AccountId }, program(7), OPERATOR, ANONYMOUS])
        await useCases.createPet({ caller: by, draft: draft('Rex'), idempotencyKey: KEY })
      expect(scopes).to.deep.equal(['account:1', 'account:7', 'api-key:7', 'cli', 'anonymous'])
    })

    it('rejects an idempotency key that has already been used with a different draft', async () => {
      await create(draft('Rex'), KEY)
      const category = 'dog' as Category
      for (const other of [
        draft('Max'),
        { ...draft('Rex'), tag: 'dog' as PetTag },
        { ...draft('Rex'), category },
      ])
        expect(await codeOf(create(other, KEY))).to.equal('idempotency-key-reused')
      expect(await stored(2)).to.equal(undefined)
    })
  })

  describe('listing and reading pets', () => {
    beforeEach(async () => {
      for (let n = 1; n <= 25; n += 1) await kennel.store.pets.insert(draft(`Rex ${n}`))
    })

    it('returns twenty pets by default in the order of their IDs, and continues after a given pet', async () => {
      const list = async (limit?: number, after?: number) => {
        const page = { limit: limit as PageLimit | undefined, after: after as PetId | undefined }
        return (await kennel.useCases.listPets({ caller, ...page })).pets.map(({ id }) => Number(id))
      }
      expect(await list()).to.deep.equal(Array.from({ length: 20 }, (_, n) => n + 1))
      expect(await list(undefined, 20)).to.deep.equal([21, 22, 23, 24, 25])
      expect(await list(2, 3)).to.deep.equal([4, 5])
      expect(await list(undefined, 25)).to.deep.equal([])
    })

    it('returns each existing pet once for a list of IDs, and does not call the store if the list is empty', async () => {
      const read = ({ useCases }: Composed, ids: readonly number[]) =>
        useCases.readPets({ caller, ids: ids as never })
      expect((await read(kennel, [3, 99, 1, 3])).map(({ id }) => id)).to.deep.equal([1, 3])
      const findMany = () => Promise.reject(new Error('the store was asked'))
      const store = { ...kennel.store, pets: { ...kennel.store.pets, findMany } }
      expect(await read(await composeUseCases({ store }), [])).to.deep.equal([])
    })
  })
})
