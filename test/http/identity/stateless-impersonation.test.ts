import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { actingAs, expectDead, impersonation, logoutAs, userOf } from '../../support/http/acting.js'
import { envelopeOf, payloadOf, sessionIdOf, setCookies } from '../../support/http/browser.js'
import { loggedIn } from '../../support/http/expected.js'

const MINUTE = 60_000

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

describe('acting as another account in stateless mode', () => {
  let service: TestService
  const mode = 'stateless-revocable'
  before(async () => {
    service = await startService({ mode })
  })
  after(() => service.close())

  it('is reported by login-as and get-identity, without a cookie', async () => {
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

  it("carries both sessions in both tokens: the target's for an hour, the administrator's until its end", async () => {
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

  it('ends with logout-as, which returns a session with the expiry of the original one', async () => {
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
})
