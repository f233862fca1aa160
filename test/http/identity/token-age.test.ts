import { expect } from 'chai'
import { START, startService, type TestService } from '../../support/http/service.js'
import {
  CREATE_PROJECT,
  createBrowser,
  envelopeOf,
  newcomer,
  PROJECT,
  refreshWith,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, PROJECT_INVALID_TOKEN } from '../../support/http/expected.js'

const LIFETIME = 900_000
const LEEWAY = 5000
/** Tokens are dated in whole seconds, so the moment of login is rounded down. */
const ISSUED = Math.floor(START / 1000) * 1000
const DEAD = ISSUED + LIFETIME + LEEWAY

describe('an access token', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  describe('that has expired', () => {
    it('is rejected by get-identity and by the protected route', async () => {
      const browser = await newcomer(service, ['admin'])
      service.clock.now = DEAD
      expectInvalidToken(await browser.getIdentity())
      const reply = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
      expect(reply.status).to.equal(401)
      expect(reply.json).to.deep.equal(PROJECT_INVALID_TOKEN)
    })

    it('ends its session at logout, together with its cookie', async () => {
      const browser = await newcomer(service)
      const before = browser.held()
      service.clock.now = DEAD
      const reply = await browser.logout()
      expect(reply.status).to.equal(200)
      expect(reply.json).to.deep.equal(loggedOut(200))
      expectInvalidToken(await refreshWith(service, before))
    })

    it('is ignored when its own session is refreshed', async () => {
      const browser = await newcomer(service)
      service.clock.now = DEAD
      const { accessToken = '' } = browser.held()
      const reply = await refreshWith(service, browser.held(), { 'X-Authorization': `Bearer ${accessToken}` })
      expect(reply.status).to.equal(200)
      expect(envelopeOf(reply).view.refreshed).to.equal(true)
    })

    it('is rejected when another session is refreshed, even of the same account', async () => {
      const browser = await newcomer(service)
      const elsewhere = createBrowser(service, browser.email)
      await elsewhere.login()
      service.clock.now = DEAD
      const header = { 'X-Authorization': `Bearer ${elsewhere.held().accessToken ?? ''}` }
      expectInvalidToken(await refreshWith(service, browser.held(), header))
      expect((await browser.refresh()).status).to.equal(200)
      expect((await elsewhere.refresh()).status).to.equal(200)
    })
  })
})
