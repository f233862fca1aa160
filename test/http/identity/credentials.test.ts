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
  LOGIN,
  LOGOUT,
  newcomer,
  PROJECT,
  REFRESH,
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

  it('are not needed to learn that there is no session', async () => {
    expectInvalidToken(await getIdentity({}))
    await expectClosed({})
  })

  it('are rejected on every route after the session has ended', async () => {
    const browser = await newcomer(service, ['admin'])
    const { cookie, accessToken } = browser.held()
    await browser.logout()
    await expectClosed(credentials({ cookie, accessToken }))
  })

  for (const half of ['cookie', 'accessToken'] as const) {
    itWithSessions(`are rejected if there is only the ${half}, and the session goes on`, async () => {
      const browser = await newcomer(service, ['admin'])
      const headers = credentials({ [half]: browser.held()[half] })
      expectInvalidToken(await getIdentity(headers))
      expectInvalidToken(await logout(headers))
      await expectClosed(headers)
      expect((await browser.getIdentity()).status).to.equal(200)
    })
  }

  for (const [whose, sameUser] of [
    ['two users', false],
    ['one user', true],
  ] as const) {
    itWithSessions(
      `are rejected if cookie and token belong to two sessions of ${whose}, and both go on`,
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

  describe('that are ambiguous', () => {
    const ambiguous: Record<string, (cookie: string, token: string) => Headers> = {
      'two cookies of our name': (cookie, token) => ({
        Cookie: `${cookie}; sid=another`,
        'X-Authorization': `Bearer ${token}`,
      }),
      'our cookie twice': (cookie, token) => ({
        Cookie: `${cookie}; ${cookie}`,
        'X-Authorization': `Bearer ${token}`,
      }),
      'our cookie after another of its name': (cookie, token) => ({
        Cookie: `sid=; theme=dark; ${cookie}`,
        'X-Authorization': `Bearer ${token}`,
      }),
      'two authorization headers': (cookie, token) => ({
        Cookie: cookie,
        'X-Authorization': [`Bearer ${token}`, 'Bearer another'],
      }),
      'the authorization header twice': (cookie, token) => ({
        Cookie: cookie,
        'X-Authorization': [`Bearer ${token}`, `Bearer ${token}`],
      }),
      'two tokens in one header': (cookie, token) => ({
        Cookie: cookie,
        'X-Authorization': `Bearer ${token}, Bearer ${token}`,
      }),
    }
    const misshapen: Readonly<Record<string, (token: string) => string>> = {
      'an empty header': () => '',
      'no token': () => 'Bearer',
      'no scheme': (token) => token,
      'another scheme': (token) => `Basic ${token}`,
      'two spaces': (token) => `Bearer  ${token}`,
      'a tab': (token) => `Bearer\t${token}`,
      'a tab after the space': (token) => `Bearer \t${token}`,
      'a no-break space': (token) => `Bearer\u00a0${token}`,
      'a token that is not ASCII': (token) => `Bearer ${token}\u00e9`,
      'a word after the token': (token) => `Bearer ${token} x`,
      quotes: (token) => `Bearer "${token}"`,
      'an equals sign after the token': (token) => `Bearer ${token}=`,
      'a token of 9 kB': (token) => `Bearer ${token}${'A'.repeat(9216 - token.length)}`,
    }
    for (const [what, value] of Object.entries(misshapen)) {
      ambiguous[what] = (cookie, token) => ({ Cookie: cookie, 'X-Authorization': value(token) })
    }
    for (const [what, headersOf] of Object.entries(ambiguous)) {
      itWithSessions(`are rejected on every route: ${what}`, async () => {
        const browser = await newcomer(service, ['admin'])
        const { cookie = '', accessToken = '', refreshToken } = browser.held()
        const headers = headersOf(cookie, accessToken)
        expectInvalidToken(await getIdentity(headers))
        expectInvalidToken(await logout(headers))
        expectInvalidToken(await service.client.call('POST', REFRESH, { headers, json: { refreshToken } }))
        expectInvalidToken(await service.client.call('POST', LOGIN, { headers, json: {} }))
        await expectClosed(headers)
        expect((await browser.getIdentity()).status).to.equal(200)
      })
    }
  })

  for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
    it(`may have the scheme in the form ${scheme}`, async () => {
      const browser = await newcomer(service)
      const { cookie = '', accessToken = '' } = browser.held()
      const headers = { Cookie: cookie, 'x-authorization': `${scheme} ${accessToken}` }
      expect((await getIdentity(headers)).status).to.equal(200)
    })
  }

  describe('in another place', () => {
    const elsewhere: Readonly<Record<string, (token: string) => { path: string; headers: Headers }>> = {
      'the Authorization header': (token) => ({ path: '', headers: { Authorization: `Bearer ${token}` } }),
      'a header of a similar name': (token) => ({
        path: '',
        headers: { 'X-Authorisation': `Bearer ${token}` },
      }),
      'the query string': (token) => ({ path: `?jwt=${token}&access_token=${token}`, headers: {} }),
      'a query named like the header': (token) => ({
        path: `?X-Authorization=Bearer%20${token}`,
        headers: {},
      }),
    }
    for (const [place, request] of Object.entries(elsewhere)) {
      it(`are ignored: token in ${place}`, async () => {
        const { cookie = '', accessToken = '' } = (await newcomer(service)).held()
        const { path, headers } = request(accessToken)
        const reply = await service.client.call('GET', GET_IDENTITY + path, {
          headers: { Cookie: cookie, ...headers },
        })
        expectInvalidToken(reply)
      })
    }

    itWithSessions('are ignored: tokens and key in the body', async () => {
      const { cookie = '', accessToken, refreshToken } = (await newcomer(service)).held()
      const json = { jwt: accessToken, accessToken, sid: cookie.slice(4), 'X-Authorization': accessToken }
      expectInvalidToken(await service.client.call('POST', LOGOUT, { headers: { Cookie: cookie }, json }))
      expectInvalidToken(await service.client.call('POST', REFRESH, { json: { ...json, refreshToken } }))
      expectInvalidToken(
        await service.client.call('POST', `${REFRESH}?refreshToken=${refreshToken ?? ''}`, {
          headers: { Cookie: cookie },
          json: { refreshToken: 'nothing' },
        }),
      )
    })

    it('do no harm: an invalid token in the Authorization header is ignored', async () => {
      const browser = await newcomer(service)
      const reply = await browser.send('GET', GET_IDENTITY, { headers: { Authorization: 'Bearer rubbish' } })
      expect(reply.status).to.equal(200)
    })
  })
})

describe('IDENTITY_AUTHORIZATION_HEADER=Authorization', () => {
  const serve = servicesOfTests()

  itWithSessions('accepts the token from there, and no longer from X-Authorization', async () => {
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
