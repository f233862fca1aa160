import { expect } from 'chai'
import { PASSWORD, START, startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  CREATE_PROJECT,
  createBrowser,
  credentials,
  envelopeOf,
  LOGIN,
  LOGOUT,
  newcomer,
  payloadOf,
  PROJECT,
  refreshWith,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, PROJECT_INVALID_TOKEN } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'

const LIFETIME = 900_000
const LEEWAY = 5000
/** Tokens are dated in whole seconds: the moment of login is cut down to one. */
const ISSUED = Math.floor(START / 1000) * 1000
const DEAD = ISSUED + LIFETIME + LEEWAY

describe('an access token', () => {
  const serve = servicesOfTests()
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  it('is good up to its end and the leeway, and not a millisecond longer', async () => {
    const browser = await newcomer(service)
    service.clock.now = DEAD - 1
    expect((await browser.getIdentity()).status).to.equal(200)
    service.clock.now = DEAD
    expectInvalidToken(await browser.getIdentity())
  })

  itWithSessions('names its moments, its session and its account', async () => {
    const browser = await newcomer(service)
    const { accessToken, refreshToken } = browser.held()
    const access = payloadOf(accessToken)
    const refresh = payloadOf(refreshToken)
    const iat = ISSUED / 1000
    expect(access).to.have.keys('iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'nbf', 'exp')
    expect(access).to.include({ iss: service.origin, iat, nbf: iat, exp: iat + 900, sub: String(browser.id) })
    expect(refresh).to.have.keys('iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'nbf', 'exp')
    expect(refresh).to.include({ iss: service.origin, iat, nbf: iat, exp: iat + 604_800, sid: access['sid'] })
    expect(refresh['aud']).to.not.equal(access['aud'])
    expect(refresh['jti']).to.not.equal(access['jti'])
  })

  describe('that has expired', () => {
    it('is refused by get-identity and by the protected route', async () => {
      const browser = await newcomer(service, ['admin'])
      service.clock.now = DEAD
      expectInvalidToken(await browser.getIdentity())
      const reply = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
      expect(reply.status).to.equal(401)
      expect(reply.json).to.deep.equal(PROJECT_INVALID_TOKEN)
    })

    it('is refused by login, with and without the right password', async () => {
      const browser = await newcomer(service)
      service.clock.now = DEAD
      for (const password of [PASSWORD, 'wrong']) {
        const json = { email: browser.email, password }
        expectInvalidToken(await browser.send('POST', LOGIN, { json }))
      }
      await browser.refresh()
      expect((await browser.getIdentity()).status).to.equal(200)
    })

    it('ends its session at logout, beside its cookie', async () => {
      const browser = await newcomer(service)
      const before = browser.held()
      service.clock.now = DEAD
      const reply = await browser.logout()
      expect(reply.status).to.equal(200)
      expect(reply.json).to.deep.equal(loggedOut(200))
      expectInvalidToken(await refreshWith(service, before))
    })

    itWithSessions('is refused by logout without its cookie or beside that of another session', async () => {
      const [browser, other] = [await newcomer(service), await newcomer(service)]
      service.clock.now = DEAD
      const { accessToken } = browser.held()
      for (const cookie of [undefined, other.held().cookie]) {
        const headers = credentials({ accessToken, cookie })
        expectInvalidToken(await service.client.call('POST', LOGOUT, { headers, json: {} }))
      }
      expect((await browser.refresh()).status).to.equal(200)
      expect((await other.refresh()).status).to.equal(200)
    })

    it('is ignored by the refresh of its own session', async () => {
      const browser = await newcomer(service)
      service.clock.now = DEAD
      const { accessToken = '' } = browser.held()
      const reply = await refreshWith(service, browser.held(), { 'X-Authorization': `Bearer ${accessToken}` })
      expect(reply.status).to.equal(200)
      expect(envelopeOf(reply).view.refreshed).to.equal(true)
    })

    it('is refused by the refresh of another session, of the same account too', async () => {
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

  for (const [what, spoil] of Object.entries({
    'not authentic': (token: string) => `${token.slice(0, -4)}AAAA`,
    'no token at all': () => 'rubbish',
  })) {
    itWithSessions(`that is ${what} is refused by refresh before anything is done`, async () => {
      const browser = await newcomer(service)
      const header = { 'X-Authorization': `Bearer ${spoil(browser.held().accessToken ?? '')}` }
      expectInvalidToken(await refreshWith(service, browser.held(), header))
      const session = await service.store.sessions.findById(
        payloadOf(browser.held().accessToken)['sid'] as never,
        service.clock.now,
      )
      expect(session?.session.current.number).to.equal(1)
    })
  }

  it('never outlives its session', async () => {
    const short = await serve({ lifetimes: { session: 60_000 } })
    const browser = await newcomer(short)
    const { exp, iat } = payloadOf(browser.held().accessToken) as { exp: number; iat: number }
    expect(exp - iat).to.equal(60)
  })
})
