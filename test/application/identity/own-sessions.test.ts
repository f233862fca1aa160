import { expect } from 'chai'
import type { SessionId } from '../../../src/domain/identity/session.js'
import type { PageLimit } from '../../../src/domain/page-limit.js'
import { codeOf, refused, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

describe('one’s own sessions', () => {
  let kennel: Composed
  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateful' })
    await kennel.account(email)
  })

  const logIn = async (client: object = {}, by = email) => {
    kennel.clock.now += 1_000
    return await kennel.useCases.login({ email: by, password: PASSWORD, presented: { client } })
  }
  type Issued = Awaited<ReturnType<typeof logIn>>
  const list = async (by: Issued, rest: object = {}) =>
    await kennel.useCases.listOwnSessions({ presented: presentedBy(by), ...rest })
  const end = async (by: Issued, what: object) =>
    await kennel.useCases.endOwnSessions({ presented: presentedBy(by), ...what })

  it('show the start, last refresh, network and client of each session, and mark the current session', async () => {
    const first = await logIn({ address: '203.0.113.7', userAgent: FIREFOX })
    const { now: begun } = kennel.clock
    const second = await logIn({ userAgent: '<script>' })
    const third = await logIn()
    kennel.clock.now += 5_000
    const { refreshToken } = first
    const { sessionKey } = first
    const client = { address: '2001:db8:1:2:3::4' }
    const moved = await kennel.useCases.refresh({ refreshToken, presented: { sessionKey, client } })
    const { sessions, next } = await list(second)
    expect(next).to.equal(undefined)
    const shown = { current: false, impersonated: false }
    expect(sessions).to.deep.equal([
      {
        ...{ id: moved.identity.sessionId, createdAt: begun, refreshedAt: kennel.clock.now },
        ...{ network: '2001:db8:1:2::/64', client: 'Firefox 130 on Linux', ...shown },
      },
      {
        ...{ id: second.identity.sessionId, createdAt: begun + 1_000, refreshedAt: begun + 1_000 },
        ...{ client: 'script', ...shown, current: true },
      },
      { id: third.identity.sessionId, createdAt: begun + 2_000, refreshedAt: begun + 2_000, ...shown },
    ])
  })

  it('are listed page by page', async () => {
    const logins = [await logIn(), await logIn(), await logIn()]
    const ids = logins.map(({ identity }) => identity.sessionId)
    const [by] = logins as [Issued]
    for (const limit of [1, 2] as PageLimit[]) {
      const one = await list(by, { limit })
      const two = await list(by, { limit: 2 as PageLimit, after: one.next })
      const pages = [one, two].map(({ sessions }) => sessions.map(({ id }) => id))
      expect(pages).to.deep.equal([ids.slice(0, limit), ids.slice(limit)])
      expect(two.next).to.equal(undefined)
    }
    expect((await list(by, { limit: 3 as PageLimit })).next).to.equal(undefined)
  })

  it("show that an administrator impersonates the account, without the administrator's details", async () => {
    await kennel.account('boss@example.com', ['admin'])
    const boss = await logIn({ address: '198.51.100.1', userAgent: FIREFOX }, 'boss@example.com')
    const own = await logIn()
    const { accountId: userId } = own.identity
    kennel.clock.now += 1_000
    const acting = await kennel.useCases.loginAs({
      userId,
      presented: { ...presentedBy(boss), client: { address: '198.51.100.1', userAgent: FIREFOX } },
    })
    const { sessions } = await list(own)
    expect(sessions.map(({ impersonated }) => impersonated)).to.deep.equal([false, true])
    expect(sessions[1]).to.not.have.any.keys('network', 'client')
    for (const refusal of [list(acting), end(acting, { others: true })])
      expect(await codeOf(refusal)).to.equal('forbidden')
    expect(await end(own, { id: acting.identity.sessionId })).to.deep.equal({ ended: 1, current: false })
    expect(await codeOf(kennel.useCases.getIdentity(presentedBy(acting)))).to.equal('invalid-token')
  })

  it('can be ended one by one, or all together except the current session; each ended session is audited', async () => {
    const [one, two, three, here] = [await logIn(), await logIn(), await logIn(), await logIn()]
    await kennel.audited()
    expect(await end(here, { id: one.identity.sessionId })).to.deep.equal({ ended: 1, current: false })
    expect(await end(here, { others: true })).to.deep.equal({ ended: 2, current: false })
    expect(await end(here, { others: true })).to.deep.equal({ ended: 0, current: false })
    for (const gone of [one, two, three])
      expect(await codeOf(kennel.useCases.getIdentity(presentedBy(gone)))).to.equal('invalid-token')
    expect(await end(here, { id: here.identity.sessionId })).to.deep.equal({ ended: 1, current: true })
    expect(await codeOf(list(here))).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal([
      'session.end account:1 account:1 sessions:1 success',
      'session.end account:1 account:1 sessions:2 success',
      'session.end account:1 account:1 sessions:1 success',
    ])
  })

  it("are not ended by an unknown ID or by the ID of another account's session", async () => {
    await kennel.account('bob@example.com')
    const [own, other] = [await logIn(), await logIn({}, 'bob@example.com')]
    for (const id of [other.identity.sessionId, 'none', ''] as (SessionId | undefined)[])
      expect(await refused(end(own, { id }))).to.deep.equal(['not-found', 'id', 'NotFound'])
    expect((await list(other)).sessions).to.have.length(1)
  })

  it('are not ended by an invalid request, and the error states the reason', async () => {
    const own = await logIn()
    for (const [what, words] of [
      ...[{}, { others: false }, { id: 'x', others: true }].map(
        (what) => [what, 'invalid | NotValid: Send either id or others: true.'] as const,
      ),
      [{ id: 'none' }, 'not-found | id NotFound: You have no session with this id.'],
    ] as const)
      expect(await wordsOf(end(own, what)), JSON.stringify(what)).to.equal(words)
    expect((await list(own)).sessions).to.have.length(1)
  })
})
