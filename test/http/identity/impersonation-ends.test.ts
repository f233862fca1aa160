import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions, rounds } from '../../support/http/modes.js'
import {
  actingAs,
  ENDS,
  expectAlive,
  expectDead,
  HOUR,
  impersonation,
  loginAs,
  logoutAs,
  userOf,
} from '../../support/http/acting.js'
import {
  createBrowser,
  credentials,
  envelopeOf,
  keep,
  LOGOUT,
  newcomer,
  payloadOf,
  refreshWith,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedIn, loggedOut } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const MINUTE = 60_000
const RETURNING = { components: { auth: ['logout-as'] } }
const NOT_PERMITTED = { message: 'This action is not granted to you.', field: '', type: 'Forbidden' }
const NOT_ACTING = { message: 'You do not act as somebody else.', field: '', type: 'Forbidden' }

for (const { name, open } of STORES) {
  describe(`an impersonation in the ${name} store`, () => {
    const serve = servicesOfTests()
    let opened: OpenedStore
    let service: TestService
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store })
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    itWithSessions('is over after its hour, in spite of a refresh every ten minutes', async () => {
      const { browser, before } = await impersonation(service)
      const start = service.clock.now
      for (let minutes = 10; minutes < 60; minutes += 10) {
        service.clock.now = start + minutes * MINUTE
        expect((await browser.refresh()).status, `${minutes} minutes`).to.equal(200)
      }
      service.clock.now = start + HOUR - 1
      expect((await browser.refresh()).status).to.equal(200)
      expect((await browser.getIdentity()).status).to.equal(200)
      service.clock.now = start + HOUR
      await expectDead(service, browser.held())
      await expectDead(service, before)
      expectInvalidToken(await logoutAs(browser))
    })

    itWithSessions("is over with the administrator's own login, if that ends sooner", async () => {
      const short = await serve({ store: opened.store, lifetimes: { session: 90 * MINUTE } })
      const start = short.clock.now
      const admin = await newcomer(short, ['admin'])
      const target = await newcomer(short)
      for (const minutes of [40, 80]) {
        short.clock.now = start + minutes * MINUTE
        await admin.refresh()
      }
      expect((await loginAs(admin, target.id)).status).to.equal(200)
      short.clock.now = start + 90 * MINUTE - 1
      await expectAlive(short, admin.held())
      expect(payloadOf(admin.held().refreshToken)['exp']).to.equal(Math.floor((start + 90 * MINUTE) / 1000))
      short.clock.now = start + 90 * MINUTE
      await expectDead(short, admin.held())
    })

    it("is ended by logout together with the administrator's login", async () => {
      const { browser, admin, target, before } = await impersonation(service)
      const held = browser.held()
      const reply = await browser.logout()
      expect([reply.status, reply.json]).to.deep.equal([200, loggedOut(200)])
      await expectDead(service, held)
      await expectDead(service, before)
      expect(await service.store.sessions.endAllOf(admin.id as AccountId)).to.equal(0)
      await expectAlive(service, target.held())
      const again = createBrowser(service, admin.email)
      expect((await again.login()).status).to.equal(200)
      expect(envelopeOf(await again.getIdentity()).view.loggedInAs).to.equal(false)
    })

    itWithSessions('is ended by logout with an expired token too, and its cookie is taken away', async () => {
      const { browser } = await impersonation(service)
      const held = browser.held()
      service.clock.now += 20 * MINUTE
      const call = { headers: credentials(held), json: {} }
      const reply = await service.client.call('POST', LOGOUT, call)
      expect([reply.status, reply.json]).to.deep.equal([200, loggedOut(200)])
      expect(keep(held, reply).cookie).to.equal(undefined)
      expectInvalidToken(await refreshWith(service, held))
    })

    it('is left by logout-as for a fresh login of the administrator', async () => {
      const { browser, admin, target, before } = await impersonation(service)
      const held = browser.held()
      const reply = await logoutAs(browser)
      const fresh = browser.held()
      const { roleList } = envelopeOf(reply).view
      expect(Object.keys(roleList)).to.deep.equal(['admin'])
      const expected = loggedIn(userOf(admin), roleList)
      const view = { ...expected.view, jwt: fresh.accessToken, refreshToken: fresh.refreshToken }
      expect([reply.status, reply.json]).to.deep.equal([200, { ...expected, view }])
      expect((await browser.getIdentity()).json).to.deep.equal(expected)
      for (const old of [held, before]) await expectDead(service, old)
      for (const token of [fresh.accessToken, fresh.refreshToken]) {
        expect(payloadOf(token))
          .to.include({ sub: String(admin.id) })
          .and.not.have.property('act')
        expect(payloadOf(token)['sid']).to.not.be.oneOf(
          [held, before].map(({ accessToken }) => payloadOf(accessToken)['sid']),
        )
      }
      expect((await browser.refresh()).status).to.equal(200)
      expect((await loginAs(browser, target.id)).status).to.equal(200)
    })

    itWithSessions('is left by logout-as with a new cookie', async () => {
      const { browser, before } = await impersonation(service)
      const { cookie } = browser.held()
      const reply = await logoutAs(browser)
      expect(setCookies(reply)).to.have.length(1)
      expect(browser.held().cookie).to.match(/^sid=[\w-]{43}$/)
      expect(browser.held().cookie).to.not.be.oneOf([cookie, before.cookie])
    })

    itWithSessions("gives back a login that ends when the administrator's would have ended", async () => {
      const short = await serve({ store: opened.store, lifetimes: { session: 2 * HOUR } })
      const start = short.clock.now
      const { browser } = await impersonation(short)
      short.clock.now = start + 50 * MINUTE
      await browser.refresh()
      expect((await logoutAs(browser)).status).to.equal(200)
      for (let minutes = 60; minutes < 120; minutes += 10) {
        short.clock.now = start + minutes * MINUTE
        expect((await browser.refresh()).status, `${minutes} minutes`).to.equal(200)
      }
      short.clock.now = start + 2 * HOUR - 1
      await expectAlive(short, browser.held())
      short.clock.now = start + 2 * HOUR
      await expectDead(short, browser.held())
    })

    it('is what logout-as needs: without one it is 403, and the login goes on', async () => {
      for (const roles of [['admin'], []]) {
        const browser = await newcomer(service, roles)
        const reply = await logoutAs(browser)
        expect([reply.status, reply.json]).to.deep.equal([403, loggedOut(403, NOT_ACTING)])
        expect(setCookies(reply)).to.deep.equal([])
        expect((await browser.getIdentity()).status).to.equal(200)
        expect((await browser.refresh()).status).to.equal(200)
      }
    })

    it('goes on where the administrator may act as others but not return: logout-as is 403', async () => {
      const { admin: administrator, ...rest } = DEFAULT_PERMISSIONS.roles
      const roles = { ...rest, admin: { ...administrator, components: { auth: ['login-as'] } } }
      const own = await serve({ store: opened.store, permissions: { roles } })
      const { browser, admin, target } = await impersonation(own)
      const held = browser.held()
      const reply = await logoutAs(browser)
      expect([reply.status, reply.json]).to.deep.equal([403, loggedOut(403, NOT_PERMITTED)])
      expect(setCookies(reply)).to.deep.equal([])
      expect((await browser.getIdentity()).json).to.deep.equal(actingAs(target, admin))
      expect(browser.held()).to.deep.equal(held)
    })

    it("is left by the administrator's permission, whatever the other account may do", async () => {
      const permissions = { roles: { ...DEFAULT_PERMISSIONS.roles, returning: RETURNING } }
      const own = await serve({ store: opened.store, permissions })
      const { browser } = await impersonation(own, ['returning'])
      await browser.refresh()
      expect((await logoutAs(browser)).status).to.equal(200)
    })

    for (const [what, end] of Object.entries(ENDS)) {
      for (const whose of ['admin', 'target'] as const) {
        const owner = whose === 'admin' ? "the administrator's" : "the other account's"
        it(`is over at the next request after ${owner} ${what}`, async () => {
          const [acting, other] = [await impersonation(service), await impersonation(service)]
          await end(service, acting[whose].email)
          expectInvalidToken(await logoutAs(acting.browser))
          await expectDead(service, acting.browser.held())
          expect((await other.browser.getIdentity()).status).to.equal(200)
          expect((await other.browser.refresh()).status).to.equal(200)
          if (whose === 'admin') await expectAlive(service, acting.target.held())
        })
      }
    }

    it("is over where a refresh meets the administrator's change of password", async () => {
      for (let round = 0; round < rounds(20); round += 1) {
        const { browser, admin, before } = await impersonation(service)
        const held = browser.held()
        await Promise.all([browser.refresh(), ENDS['another password']?.(service, admin.email)])
        for (const one of [browser.held(), held, before]) await expectDead(service, one)
      }
    })

    it("ends with nothing active where logout-as meets the administrator's change of password", async () => {
      for (let round = 0; round < rounds(20); round += 1) {
        const { browser, admin, before } = await impersonation(service)
        const held = browser.held()
        await Promise.all([logoutAs(browser), ENDS['another password']?.(service, admin.email)])
        for (const one of [browser.held(), held, before]) await expectDead(service, one)
      }
    })

    it("ends with nothing active where login-as meets the administrator's change of password", async () => {
      for (let round = 0; round < rounds(20); round += 1) {
        const admin = await newcomer(service, ['admin'])
        const target = await newcomer(service)
        const held = admin.held()
        await Promise.all([loginAs(admin, target.id), ENDS['another password']?.(service, admin.email)])
        for (const one of [admin.held(), held]) await expectDead(service, one)
      }
    })
  })
}
