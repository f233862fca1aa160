import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  CREATE_PROJECT,
  credentials,
  identityWith,
  LOGOUT,
  newcomer,
  PROJECT,
  refreshWith,
  setCookies,
  type Held,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, PROJECT_INVALID_TOKEN } from '../../support/http/expected.js'

const LOGGED_OUT = loggedOut(200)

describe('logout', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const logoutWith = (held: Held) =>
    service.client.call('POST', LOGOUT, { headers: credentials(held), json: {} })

  it('ends the session, and its credentials are rejected afterwards', async () => {
    const browser = await newcomer(service, ['admin'])
    const before = browser.held()
    const reply = await browser.logout()
    expect(reply.status).to.equal(200)
    expect(reply.json).to.deep.equal(LOGGED_OUT)
    expectInvalidToken(await identityWith(service, before))
    expectInvalidToken(await refreshWith(service, before))
    const create = { headers: credentials(before), json: PROJECT }
    const created = await service.client.call('POST', CREATE_PROJECT, create)
    expect(created.json).to.deep.equal(PROJECT_INVALID_TOKEN)
    expect(await service.store.sessions.endAllOf(browser.id as never)).to.equal(0)
  })

  it('can be repeated, with the remaining and with all earlier credentials', async () => {
    const browser = await newcomer(service)
    const before = browser.held()
    await browser.logout()
    expect(browser.held().cookie).to.equal(undefined)
    expect(browser.held().accessToken).to.equal(before.accessToken)
    for (const reply of [await browser.logout(), await logoutWith(before)]) {
      expect(reply.status).to.equal(200)
      expect(reply.json).to.deep.equal(LOGGED_OUT)
    }
  })

  it('succeeds without credentials, with and without a body', async () => {
    const bare = await service.client.call('POST', LOGOUT)
    const empty = await service.client.call('POST', LOGOUT, { json: {} })
    const more = await service.client.call('POST', LOGOUT, { json: { userId: 1 } })
    for (const reply of [bare, empty, more]) {
      expect(reply.status).to.equal(200)
      expect(reply.json).to.deep.equal(LOGGED_OUT)
      expect(setCookies(reply)).to.deep.equal([])
    }
  })

  itWithSessions('needs the cookie of the token while that session is active', async () => {
    const browser = await newcomer(service)
    const { accessToken } = browser.held()
    expectInvalidToken(await logoutWith({ accessToken }))
    expectInvalidToken(await logoutWith({ accessToken, cookie: `sid=${'A'.repeat(43)}` }))
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  itWithSessions('rejects a cookie alone, even if it belongs to no session', async () => {
    expectInvalidToken(await logoutWith({ cookie: `sid=${'A'.repeat(43)}` }))
  })

  it('rejects a token that is not authentic', async () => {
    const browser = await newcomer(service)
    const { accessToken = '', cookie, refreshToken } = browser.held()
    expectInvalidToken(await logoutWith({ cookie, accessToken: `${accessToken}A` }))
    expectInvalidToken(await logoutWith({ cookie, accessToken: refreshToken }))
    expectInvalidToken(await logoutWith({ accessToken: 'rubbish' }))
    expect((await browser.getIdentity()).status).to.equal(200)
  })
})
