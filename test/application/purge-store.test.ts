import { expect } from 'chai'
import type { SessionId } from '../../src/domain/identity/session.js'
import type { IdempotencyKey } from '../../src/domain/catalogue/idempotency-key.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { type Composed, composeUseCases, PASSWORD } from '../support/use-cases.js'
import { draft, program } from '../support/pet-drafts.js'
import { refusalOf } from '../support/refusal-of.js'

const DAY = 86_400_000
const SESSION = 2 * DAY

describe('purge the store', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases({ lifetimes: { session: SESSION, refreshToken: SESSION } })
    await service.account('ada@example.com')
  })

  const purge = () => service.useCases.purgeStore({ caller: OPERATOR })
  const login = () => service.useCases.login({ email: 'ada@example.com', password: PASSWORD, presented: {} })

  it('removes sessions from their end on, counts them, and leaves the active ones', async () => {
    await login()
    service.clock.now += 1
    const { accessToken, sessionKey } = await login()
    service.clock.now += SESSION - 2
    expect(await purge()).to.equal(0)
    service.clock.now += 1
    expect([await purge(), await purge()]).to.deep.equal([1, 0])
    const presented = { accessToken, sessionKey }
    expect((await refusalOf(service.useCases.getIdentity(presented))).code).to.equal('invalid-token')
    service.clock.now += 1
    expect(await purge()).to.equal(1)
  })

  it('removes idempotency keys of yesterday', async () => {
    const idempotencyKey = 'one' as IdempotencyKey
    const create = async () =>
      await service.useCases.createPet({ caller: program(1), draft: draft('Rex'), idempotencyKey })
    const first = await create()
    service.clock.now += DAY - 1
    expect([await purge(), await create()]).to.deep.equal([0, first])
    service.clock.now += 1
    expect(await purge()).to.equal(1)
    expect(await create()).to.not.equal(first)
  })

  it('removes revocations from their end on, and counts them', async () => {
    const until = service.clock.now + DAY
    for (const [id, end] of [
      ['one', until],
      ['two', until],
      ['three', until + 1],
    ] as const) {
      await service.store.revocations.revoke(id as SessionId, end)
    }
    service.clock.now = until - 1
    expect(await purge()).to.equal(0)
    service.clock.now = until
    expect([await purge(), await purge()]).to.deep.equal([2, 0])
    service.clock.now = until + 1
    expect([await purge(), await purge()]).to.deep.equal([1, 0])
  })
})
