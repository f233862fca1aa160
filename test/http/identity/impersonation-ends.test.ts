import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  expectAlive,
  expectDead,
  impersonation,
  loginAs,
  logoutAs,
  userOf,
} from '../../support/http/acting.js'
import { createBrowser, envelopeOf, newcomer, payloadOf, setCookies } from '../../support/http/browser.js'
import { loggedIn, loggedOut } from '../../support/http/expected.js'

const NOT_ACTING = { message: 'You do not act as somebody else.', field: '', type: 'Forbidden' }

describe('an impersonation', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it("ends at logout together with the administrator's session", async () => {
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

  it('ends at logout-as with a new session of the administrator', async () => {
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

  itWithSessions('ends at logout-as with a new cookie', async () => {
    const { browser, before } = await impersonation(service)
    const { cookie } = browser.held()
    const reply = await logoutAs(browser)
    expect(setCookies(reply)).to.have.length(1)
    expect(browser.held().cookie).to.match(/^sid=[\w-]{43}$/)
    expect(browser.held().cookie).to.not.be.oneOf([cookie, before.cookie])
  })

  it('is required by logout-as: otherwise it is 403, and the session goes on', async () => {
    for (const roles of [['admin'], []]) {
      const browser = await newcomer(service, roles)
      const reply = await logoutAs(browser)
      expect([reply.status, reply.json]).to.deep.equal([403, loggedOut(403, NOT_ACTING)])
      expect(setCookies(reply)).to.deep.equal([])
      expect((await browser.getIdentity()).status).to.equal(200)
      expect((await browser.refresh()).status).to.equal(200)
    }
  })
})
