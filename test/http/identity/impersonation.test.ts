import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import { actingAs, expectAlive, expectDead, impersonation, loginAs } from '../../support/http/acting.js'
import {
  CREATE_PROJECT,
  createBrowser,
  envelopeOf,
  identityWith,
  newcomer,
  payloadOf,
  PROJECT,
  refreshWith,
  sessionIdOf,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'

const WIDTH = 8

describe('acting as another account', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('is reported exactly by login-as, and by get-identity without the tokens', async () => {
    const { browser, admin, target, reply } = await impersonation(service, ['project-editor'])
    const { roleList } = envelopeOf(await target.getIdentity()).view
    expect(Object.keys(roleList)).to.deep.equal(['project-editor'])
    const expected = actingAs(target, admin, roleList)
    const { accessToken, refreshToken } = browser.held()
    const view = { ...expected.view, jwt: accessToken, refreshToken }
    expect(reply.json).to.deep.equal({ ...expected, view })
    const identity = await browser.getIdentity()
    expect([identity.status, identity.json]).to.deep.equal([200, expected])
    expect(setCookies(identity)).to.deep.equal([])
  })

  itWithSessions('sets a new cookie, and puts only the address in `act`', async () => {
    const { browser, admin, target, before, reply } = await impersonation(service)
    const own = sessionIdOf(target.held().accessToken)
    expect(setCookies(reply)).to.have.length(1)
    expect(browser.held().cookie)
      .to.match(/^sid=[\w-]{43}$/)
      .and.not.equal(before.cookie)
    for (const token of [browser.held().accessToken, browser.held().refreshToken]) {
      const claims = payloadOf(token)
      expect(claims['act']).to.deep.equal({ sub: String(admin.id), email: admin.email })
      expect(claims['sid']).to.not.equal(own)
    }
  })

  itWithSessions('rejects half of the old credentials combined with half of the new ones', async () => {
    const { browser, before } = await impersonation(service)
    const held = browser.held()
    const { cookie, accessToken, refreshToken } = before
    const mixed = [{ cookie }, { accessToken }, { cookie, accessToken }]
    for (const old of mixed) expectInvalidToken(await identityWith(service, { ...held, ...old }))
    for (const old of [{ cookie }, { refreshToken }, { cookie, refreshToken }])
      expectInvalidToken(await refreshWith(service, { ...held, ...old }))
    expect((await browser.getIdentity()).status).to.equal(200)
    expect((await browser.refresh()).status).to.equal(200)
  })

  it('acts in the name of the target, with the permissions of the target', async () => {
    const { browser, target } = await impersonation(service, ['project-editor'])
    const reply = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
    expect(reply.status).to.equal(201)
    expect(reply.json).to.have.nested.property('view.data.createdBy', target.id)
  })

  it('survives a refresh, with `act` and both users', async () => {
    const { browser, admin, target } = await impersonation(service)
    const { act, sid } = payloadOf(browser.held().accessToken)
    service.clock.now += 1000
    const reply = await browser.refresh()
    const { accessToken, refreshToken } = browser.held()
    const expected = actingAs(target, admin)
    const view = { ...expected.view, jwt: accessToken, refreshToken, refreshed: true }
    expect(reply.json).to.deep.equal({ ...expected, view })
    for (const token of [accessToken, refreshToken]) expect(payloadOf(token)).to.deep.include({ act, sid })
    expect((await browser.getIdentity()).json).to.deep.equal(expected)
  })

  itWithSessions(`begins once for ${String(WIDTH)} concurrent calls with one session`, async () => {
    const admin = await newcomer(service, ['admin'])
    const target = await newcomer(service)
    const before = admin.held()
    const clients = Array.from({ length: WIDTH }, () => createBrowser(service, admin.email, { held: before }))
    const replies = await Promise.all(clients.map((client) => loginAs(client, target.id)))
    const winners = clients.filter((_client, index) => replies[index]?.status === 200)
    expect(winners).to.have.length(1)
    for (const reply of replies) if (reply.status !== 200) expectInvalidToken(reply)
    await expectAlive(service, winners[0]!.held())
    await expectDead(service, before)
    // The target's own session and the impersonation, which would also end with the administrator's session.
    expect(await service.store.sessions.endAllOf(target.id as AccountId)).to.equal(2)
    expect(await service.store.sessions.endAllOf(admin.id as AccountId)).to.equal(0)
  })
})
