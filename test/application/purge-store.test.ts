import { expect } from 'chai'
import type { PairId, SessionId } from '../../src/domain/identity/session.js'
import type { IdempotencyKey } from '../../src/domain/catalogue/idempotency-key.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { type Composed, composeUseCases, PASSWORD } from '../support/use-cases.js'
import { draft, program } from '../support/pet-drafts.js'
import { OUTSIDERS } from '../support/callers.js'
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

  it('removes what is kept of refreshes without a session when no token of the login is good any more', async () => {
    const until = service.clock.now + DAY
    const next = { pairId: 'two' as PairId, kid: 'kid', issuedAt: service.clock.now }
    const [sessionId, from] = ['login' as SessionId, 'one' as PairId]
    await service.store.revocations.rotate({ sessionId, from, next, at: service.clock.now, grace: 0, until })
    service.clock.now = until - 1
    expect(await purge()).to.equal(0)
    service.clock.now = until
    expect([await purge(), await purge()]).to.deep.equal([1, 0])
  })

  it('removes more than one batch', async () => {
    const { identity } = await login()
    const session = (
      await service.store.sessions.findById(identity.sessionId ?? ('' as never), service.clock.now)
    )?.session
    if (!session) throw new Error('the session lives')
    for (let count = 0; count < 1001; count += 1) {
      const keyDigest = `digest ${count}` as typeof session.current.keyDigest
      const id = `session ${count}` as typeof session.id
      await service.store.sessions.open({ ...session, id, current: { ...session.current, keyDigest } })
    }
    service.clock.now += SESSION
    expect([await purge(), await purge()]).to.deep.equal([1002, 0])
  })

  it('is refused without the permission', async () => {
    for (const [caller, code] of OUTSIDERS) {
      expect((await refusalOf(service.useCases.purgeStore({ caller }))).code).to.equal(code)
    }
  })
})
