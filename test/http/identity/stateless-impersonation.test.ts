import { expect } from 'chai'
import type { SessionId } from '../../../src/domain/identity/session.js'
import type { Revocations } from '../../../src/ports/revocations.js'
import { startService, type TestService } from '../../support/http/service.js'
import {
  actingAs,
  ENDS,
  expectAlive,
  expectDead,
  HOUR,
  impersonation,
  LOGIN_AS,
  loginAs,
  LOGOUT_AS,
  logoutAs,
  userOf,
} from '../../support/http/acting.js'
import {
  credentials,
  envelopeOf,
  newcomer,
  payloadOf,
  sessionIdOf,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedIn, loggedOut } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const MINUTE = 60_000
const LEEWAY = 5000
const NOT_HERE = { message: 'Acting as somebody else is not possible here.', field: '', type: 'Forbidden' }

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

for (const { name, open } of STORES) {
  describe(`acting as another account in stateless mode with revocations in the ${name} store`, () => {
    const serve = servicesOfTests()
    let opened: OpenedStore
    let service: TestService
    const mode = 'stateless-revocable'
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store, mode })
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    it('is told by login-as and get-identity, without a cookie', async () => {
      const { browser, admin, target, reply } = await impersonation(service, ['project-editor'])
      const { roleList } = envelopeOf(await target.getIdentity()).view
      expect(Object.keys(roleList)).to.deep.equal(['project-editor'])
      const expected = actingAs(target, admin, roleList)
      const { accessToken: jwt, refreshToken } = browser.held()
      expect(reply.json).to.deep.equal({ ...expected, view: { ...expected.view, jwt, refreshToken } })
      expect(setCookies(reply)).to.deep.equal([])
      expect(browser.held().cookie).to.equal(undefined)
      expect((await browser.getIdentity()).json).to.deep.equal(expected)
    })

    it("carries both logins in both tokens: the other's for an hour, the administrator's to its end", async () => {
      const { browser, admin, target, before } = await impersonation(service)
      const now = seconds(service.clock.now)
      const act = { sub: String(admin.id), email: admin.email, epoch: 1, session_exp: now + 2_592_000 }
      const carried = { sub: String(target.id), email: target.email, roles: [], epoch: 1 }
      const { accessToken, refreshToken } = browser.held()
      for (const [token, lifetime] of [
        [accessToken, 900],
        [refreshToken, 3600],
      ] as const) {
        const claims = payloadOf(token)
        expect(claims).to.deep.include({ ...carried, session_exp: now + 3600, exp: now + lifetime })
        expect(claims['act']).to.deep.equal(act)
        expect(claims['sid']).to.not.equal(sessionIdOf(before.accessToken))
      }
    })

    it('voids the old tokens at once, and stores no session', async () => {
      const { browser, admin, target, before } = await impersonation(service)
      await expectDead(service, before)
      await expectAlive(service, browser.held())
      for (const { id } of [admin, target])
        expect(await opened.store.sessions.endAllOf(id as never)).to.equal(0)
    })

    it('goes on through refreshes, with the same `act`, and is over after its hour', async () => {
      const { browser, admin, target } = await impersonation(service)
      const start = service.clock.now
      const { act } = payloadOf(browser.held().accessToken)
      for (let minutes = 10; minutes < 60; minutes += 10) {
        service.clock.now = start + minutes * MINUTE
        expect((await browser.refresh()).status, `${minutes} minutes`).to.equal(200)
        expect((await browser.getIdentity()).json).to.deep.equal(actingAs(target, admin))
        expect(payloadOf(browser.held().accessToken)['act']).to.deep.equal(act)
        expect(payloadOf(browser.held().refreshToken)['act']).to.deep.equal(act)
      }
      const end = seconds(start + HOUR) * 1000
      service.clock.now = end - 1
      expect((await browser.refresh()).status).to.equal(200)
      service.clock.now = end
      expectInvalidToken(await browser.refresh())
      // The leeway that every token has.
      service.clock.now = end + LEEWAY
      await expectDead(service, browser.held())
      expectInvalidToken(await logoutAs(browser))
    })

    it("is over with the administrator's own login, if that ends sooner", async () => {
      const short = await serve({ store: opened.store, mode, lifetimes: { session: 90 * MINUTE } })
      const start = short.clock.now
      const admin = await newcomer(short, ['admin'])
      const target = await newcomer(short)
      short.clock.now = start + 80 * MINUTE
      await admin.refresh()
      expect((await loginAs(admin, target.id)).status).to.equal(200)
      const end = seconds(start + 90 * MINUTE)
      expect(payloadOf(admin.held().refreshToken)).to.include({ exp: end, session_exp: end })
      short.clock.now = end * 1000
      expectInvalidToken(await admin.refresh())
    })

    it('is left by logout-as for a login that ends when the one before would have ended', async () => {
      const { browser, admin, before } = await impersonation(service)
      const held = browser.held()
      service.clock.now += 20 * MINUTE
      await browser.refresh()
      const reply = await logoutAs(browser)
      const fresh = browser.held()
      const { roleList } = envelopeOf(reply).view
      expect(Object.keys(roleList)).to.deep.equal(['admin'])
      const expected = loggedIn(userOf(admin), roleList)
      const view = { ...expected.view, jwt: fresh.accessToken, refreshToken: fresh.refreshToken }
      expect(reply.json).to.deep.equal({ ...expected, view })
      expect(setCookies(reply)).to.deep.equal([])
      const { session_exp } = payloadOf(before.refreshToken)
      for (const token of [fresh.accessToken, fresh.refreshToken])
        expect(payloadOf(token)).to.include({ session_exp }).and.not.have.property('act')
      for (const old of [before, held]) await expectDead(service, old)
      expect((await browser.refresh()).status).to.equal(200)
      expect(payloadOf(browser.held().refreshToken)).to.include({ session_exp })
    })

    it('is ended by logout, also with an expired token, together with the login before', async () => {
      for (const later of [0, 20 * MINUTE]) {
        const { browser, target, before } = await impersonation(service)
        const held = browser.held()
        service.clock.now += later
        expect((await browser.logout()).json).to.deep.equal(loggedOut(200))
        expectInvalidToken(await logoutAs(browser))
        await expectDead(service, held)
        await expectDead(service, before)
        expect((await target.refresh()).status).to.equal(200)
      }
    })

    for (const [what, end] of Object.entries(ENDS)) {
      for (const whose of ['admin', 'target'] as const) {
        const owner = whose === 'admin' ? "the administrator's" : "the other account's"
        it(`is over at the next request after ${owner} ${what}`, async () => {
          const acting = await impersonation(service)
          await end(service, acting[whose].email)
          expectInvalidToken(await logoutAs(acting.browser))
          await expectDead(service, acting.browser.held())
          if (whose === 'admin') await expectAlive(service, acting.target.held())
        })
      }
    }
  })
}

describe('acting as another account in stateless mode', () => {
  const serve = servicesOfTests()

  it('is refused without revocations: 403 with a login, 401 without', async () => {
    const service = await serve({ mode: 'stateless' })
    const [admin, user] = [await newcomer(service, ['admin']), await newcomer(service)]
    for (const path of [LOGIN_AS, LOGOUT_AS]) {
      for (const browser of [admin, user]) {
        const reply = await browser.send('POST', path, { json: { userId: user.id } })
        expect([reply.status, reply.json]).to.deep.equal([403, loggedOut(403, NOT_HERE)])
        await expectAlive(service, browser.held())
        expect((await browser.refresh()).status).to.equal(200)
      }
      for (const accessToken of [undefined, admin.held().refreshToken, 'rubbish']) {
        const call = { headers: credentials({ accessToken }), json: { userId: user.id } }
        expectInvalidToken(await service.client.call('POST', path, call))
      }
    }
    service.clock.now += 20 * MINUTE
    expectInvalidToken(await loginAs(admin, user.id))
  })

  it('begins once, however many ask at once with one token', async () => {
    const service = await serve({ mode: 'stateless-revocable' })
    const [admin, user] = [await newcomer(service, ['admin']), await newcomer(service)]
    const call = { headers: credentials(admin.held()), json: { userId: user.id } }
    const calls = Array.from({ length: 8 }, () => service.client.call('POST', LOGIN_AS, call))
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort()
    expect(statuses).to.deep.equal([200, 401, 401, 401, 401, 401, 401, 401])
  })

  it('tells the revocations that requests are judged by of the login that it takes the place of', async () => {
    const told: [SessionId, number][] = []
    const revocations: Revocations = {
      isRevoked: async ({ sessionId }) => told.some(([revoked]) => revoked === sessionId),
      revoke: async (...login) => {
        told.push(login)
        return 'revoked'
      },
      rotate: async () => expect.fail('no refresh is asked for'),
      purge: async () => 0,
    }
    const service = await serve({
      mode: 'stateless-revocable',
      aroundStore: (store) => ({ ...store, revocations }),
    })
    const { browser, before } = await impersonation(service)
    const acting = browser.held()
    const now = seconds(service.clock.now) * 1000
    expect(told).to.deep.equal([[sessionIdOf(before.accessToken), now + 2_592_000_000 + LEEWAY]])
    await expectDead(service, before)
    expect((await logoutAs(browser)).status).to.equal(200)
    expect(told.slice(1)).to.deep.equal([[sessionIdOf(acting.accessToken), now + HOUR + LEEWAY]])
    await expectDead(service, acting)
    await expectAlive(service, browser.held())
  })
})
