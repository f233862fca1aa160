import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import {
  CREATE_PROJECT,
  credentials,
  identityWith,
  LOGOUT,
  newcomer,
  PROJECT,
  refreshWith,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, PROJECT_INVALID_TOKEN } from '../../support/http/expected.js'

const LOGGED_OUT = loggedOut(200)

describe('logout', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

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
})
