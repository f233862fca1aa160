import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  CREATE_PROJECT,
  createBrowser,
  credentials,
  envelopeOf,
  GET_IDENTITY,
  identityWith,
  LOGOUT,
  newcomer,
  PROJECT,
  refreshWith,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { expectInvalidTokenAt, PROTECTED_ROUTES } from '../../support/http/protected-routes.js'
import { servicesOfTests } from '../../support/http/services.js'

type Headers = Record<string, string | readonly string[]>

describe('the credentials of a request', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const getIdentity = (headers: Headers) => service.client.call('GET', GET_IDENTITY, { headers })
  const logout = (headers: Headers) => service.client.call('POST', LOGOUT, { headers, json: {} })
  async function expectClosed(headers: Headers): Promise<void> {
    for (const { method, path, json } of PROTECTED_ROUTES) {
      const call = { headers, ...(json !== undefined && { json }) }
      expectInvalidTokenAt(path, await service.client.call(method, path, call))
    }
  }

  it('are rejected on every route after the session has ended', async () => {
    const browser = await newcomer(service, ['admin'])
    const { cookie, accessToken } = browser.held()
    await browser.logout()
    await expectClosed(credentials({ cookie, accessToken }))
  })

  for (const [whose, sameUser] of [
    ['two users', false],
    ['one user', true],
  ] as const) {
    itWithSessions(
      `are rejected if cookie and token belong to two sessions of ${whose}, and both sessions continue`,
      async () => {
        const one = await newcomer(service, ['admin'])
        const other = sameUser ? createBrowser(service, one.email) : await newcomer(service, ['admin'])
        if (sameUser) await other.login()
        const mixed = { cookie: one.held().cookie, accessToken: other.held().accessToken }
        expectInvalidToken(await getIdentity(credentials(mixed)))
        expectInvalidToken(await logout(credentials(mixed)))
        await expectClosed(credentials(mixed))
        expectInvalidToken(await refreshWith(service, { ...mixed, refreshToken: other.held().refreshToken }))
        const wrongToken = credentials({ accessToken: other.held().accessToken }) as Record<string, string>
        expectInvalidToken(await refreshWith(service, one.held(), wrongToken))
        expect((await one.getIdentity()).status).to.equal(200)
        expect((await other.getIdentity()).status).to.equal(200)
      },
    )
  }
})

describe('IDENTITY_AUTHORIZATION_HEADER=Authorization', () => {
  const serve = servicesOfTests()

  itWithSessions('accepts the token in that header, and no longer in X-Authorization', async () => {
    const service = await serve({ settings: { authorizationHeader: 'Authorization' } })
    const browser = await newcomer(service, ['admin'], { header: 'Authorization' })
    const { cookie, accessToken } = browser.held()
    expect((await browser.getIdentity()).status).to.equal(200)
    expect((await browser.send('POST', CREATE_PROJECT, { json: PROJECT })).status).to.equal(201)
    expectInvalidToken(await identityWith(service, { cookie, accessToken }))
    const basic = await browser.send('GET', GET_IDENTITY, { headers: { Authorization: 'Basic YTpi' } })
    expectInvalidToken(basic)
    const harmless = await browser.send('GET', GET_IDENTITY, { headers: { 'X-Authorization': 'rubbish' } })
    expect(envelopeOf(harmless).view.loggedIn).to.equal(true)
    const reply = await browser.logout()
    expect(reply.status).to.equal(200)
    expect(setCookies(reply)).to.have.length(1)
  })
})
