import { expect } from 'chai'
import type { HttpSettings } from '../../../src/http/parts.js'
import type { Reply } from '../../support/http/client.js'
import { guarded } from '../../support/http/factor.js'
import { PASSWORD, type TestService, servicesOfTests, itWithSessions } from '../../support/http/service.js'
import {
  createBrowser,
  credentials,
  GET_IDENTITY,
  keep,
  LOGIN,
  newcomer,
  refreshWith,
  setCookies,
  CREATE_PROJECT,
  envelopeOf,
  identityWith,
  PROJECT,
  expectInvalidToken,
} from '../../support/http/browser.js'
import { KEPT, storesOfTests } from '../../support/stores.js'

const publicUrl = 'https://pets.example'
const secure = { name: 'sid', secure: true, sameSite: 'strict' } as const

/** Cookie settings, each with the resulting name and attributes (except `path` and `expires`). */
const FORMS: readonly (readonly [settings: Partial<HttpSettings>, name: string, flags: string])[] = [
  [{}, 'sid', 'samesite=strict; httponly'],
  [{ publicUrl, cookie: secure }, '__Host-sid', 'samesite=strict; secure; httponly'],
  [
    { publicUrl, cookie: { ...secure, name: 'kennel', sameSite: 'lax' } },
    '__Host-kennel',
    'samesite=lax; secure; httponly',
  ],
  [
    { publicUrl, cookie: { ...secure, sameSite: 'none' }, corsOrigins: ['https://app.example'] },
    '__Host-sid',
    'samesite=none; secure; httponly; partitioned',
  ],
]

describe('the session cookie', () => {
  const serve = servicesOfTests()

  for (const [settings, name, flags] of FORMS)
    itWithSessions(
      `is ${name} with ${flags}, and is replaced at each login and refresh until the logout`,
      async () => {
        const browser = await newcomer(await serve({ settings }))
        const first = browser.held().cookie
        const replies = [await browser.login(), await browser.refresh()]
        const keyIn = (reply: Reply) => {
          const [line = '', ...others] = setCookies(reply)
          const [, key = ''] = /=([\w-]{43});/.exec(line) ?? []
          expect([line, others]).to.deep.equal([`${name}=${key}; path=/; ${flags}`, []])
          return `${name}=${key}`
        }
        expect(new Set([first, ...replies.map(keyIn)])).to.have.property('size', 3)
        const hsts = settings.publicUrl && 'max-age=31536000'
        for (const { headers } of replies) expect(headers['strict-transport-security']).to.equal(hsts)
        expect(setCookies(await browser.logout())).to.deep.equal([
          `${name}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; ${flags}`,
        ])
      },
    )

  itWithSessions('is rejected if its name lacks the prefix of a secure cookie', async () => {
    const service = await serve({ settings: { publicUrl, cookie: secure } })
    const browser = await newcomer(service)
    const { cookie = '', accessToken } = browser.held()
    const headers = credentials({ cookie: cookie.replace('__Host-', ''), accessToken })
    expect((await service.client.call('GET', GET_IDENTITY, { headers })).status).to.equal(401)
    expect((await browser.getIdentity()).status).to.equal(200)
  })
})

describe('the cookie of a remembered login', () => {
  const serve = servicesOfTests()
  const MONTH = 2_592_000

  const loginOf = (service: TestService, email: string, remember: unknown) =>
    service.client.call('POST', LOGIN, { json: { email, password: PASSWORD, remember } })

  for (const [settings, name, flags] of FORMS)
    itWithSessions(`is ${name} with ${flags} and a maximum age, until the logout`, async () => {
      const service = await serve({ settings, rememberLogin: true })
      const { email } = await newcomer(service)
      const reply = await loginOf(service, email, true)
      const held = keep({}, reply)
      expect(setCookies(reply)).to.deep.equal([`${held.cookie}; path=/; max-age=${MONTH}; ${flags}`])
      service.clock.now += 60_000
      const browser = createBrowser(service, email, { held })
      const renewed = setCookies(await browser.refresh())
      const age = `max-age=${MONTH - 60}`
      expect(renewed).to.deep.equal([`${browser.held().cookie}; path=/; ${age}; ${flags}`])
      expect(setCookies(await refreshWith(service, held))).to.deep.equal(renewed)
      expect(setCookies(await browser.logout())).to.deep.equal([
        `${name}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; ${flags}`,
      ])
    })

  it('has no maximum age if REMEMBER_LOGIN is off, regardless of the value of `remember`', async () => {
    const service = await serve()
    const { email } = await newcomer(service)
    for (const remember of [true, false, null, 'yes', 1, {}]) {
      const reply = await loginOf(service, email, remember)
      expect(reply.status).to.equal(200)
      expect(setCookies(reply).join()).to.not.include('max-age')
    }
  })
})

describe('the store', () => {
  const serve = servicesOfTests()
  const opened = storesOfTests()

  itWithSessions(
    'contains cookies, tokens and passwords only as digests, and second factors only encrypted',
    async () => {
      const { store, contents } = await opened(KEPT.open)
      const service = await serve({ store })
      const browser = await newcomer(service)
      const before = browser.held()
      await browser.refresh()
      await createBrowser(service, browser.email).login('a wrong password')
      const { secret, recoveryCodes } = await guarded(service)
      const stored = await contents()
      const secrets = [before, browser.held()].flatMap(
        ({ cookie = '', accessToken = '', refreshToken = '' }) => [
          cookie.slice('sid='.length),
          accessToken.split('.')[2] ?? '',
          refreshToken.split('.')[2] ?? '',
        ],
      )
      const codes = recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])
      expect(stored).to.include(browser.email)
      for (const one of [...secrets, PASSWORD, 'a wrong password', secret, ...codes]) {
        expect(one.length).to.be.greaterThan(15)
        expect(stored.includes(one)).to.equal(false)
      }
    },
  )
})

describe('IDENTITY_AUTHORIZATION_HEADER=Authorization', () => {
  const serve = servicesOfTests()

  itWithSessions('accepts the token in the Authorization header, but not in X-Authorization', async () => {
    const service = await serve({ settings: { authorizationHeader: 'Authorization' } })
    const browser = await newcomer(service, ['admin'], { header: 'Authorization' })
    expect((await browser.getIdentity()).status).to.equal(200)
    expect((await browser.send('POST', CREATE_PROJECT, { json: PROJECT })).status).to.equal(201)
    expectInvalidToken(await identityWith(service, browser.held()))
    const basic = await browser.send('GET', GET_IDENTITY, { headers: { Authorization: 'Basic YTpi' } })
    expectInvalidToken(basic)
    const harmless = await browser.send('GET', GET_IDENTITY, { headers: { 'X-Authorization': 'rubbish' } })
    expect(envelopeOf(harmless).view.loggedIn).to.equal(true)
    expect((await browser.logout()).status).to.equal(200)
  })
})

const settings = { publicUrl: 'http://127.0.0.1:3000' }

describe(`two services that share data in ${KEPT.name}`, () => {
  const serve = servicesOfTests()
  const opened = storesOfTests()

  itWithSessions('share sessions, refreshes and ended sessions', async () => {
    const { store, again } = await opened(KEPT.open)
    const other = await opened(again)
    const one = await serve({ store, settings })
    const two = await serve({ store: other.store, settings })
    const browser = await newcomer(one)
    const first = browser.held()
    expect((await identityWith(two, first)).status).to.equal(200)
    const [here, there] = await Promise.all([refreshWith(one, first), refreshWith(two, first)])
    expect(here.text).to.equal(there.text)
    const second = keep(first, there)
    expect((await identityWith(one, second)).status).to.equal(200)
    await createBrowser(two, browser.email, { held: second }).logout()
    expectInvalidToken(await identityWith(one, second))
    expectInvalidToken(await refreshWith(one, second))
  })
})
