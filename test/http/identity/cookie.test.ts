import { expect } from 'chai'
import type { HttpSettings } from '../../../src/http/settings.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import { createBrowser, credentials, GET_IDENTITY, newcomer, setCookies } from '../../support/http/browser.js'
import { KEPT, storesOfTests } from '../../support/stores.js'
import { servicesOfTests } from '../../support/http/services.js'

const GONE = 'expires=Thu, 01 Jan 1970 00:00:00 GMT'
const HSTS = 'max-age=31536000'

type Form = {
  readonly name: string
  readonly settings: Partial<HttpSettings>
  readonly pair: RegExp
  readonly attributes: readonly string[]
  readonly hsts: string | undefined
}

const https = 'https://pets.example'
const secure = { name: 'sid', secure: true, sameSite: 'strict' } as const
const FORMS: readonly Form[] = [
  {
    name: 'development',
    settings: {},
    pair: /^sid=[\w-]{43}$/,
    attributes: ['httponly', 'path=/', 'samesite=strict'],
    hsts: undefined,
  },
  {
    name: 'secure, over a plain socket',
    settings: { publicUrl: https, cookie: secure },
    pair: /^__Host-sid=[\w-]{43}$/,
    attributes: ['httponly', 'path=/', 'samesite=strict', 'secure'],
    hsts: HSTS,
  },
  {
    name: 'secure and lax, with another name',
    settings: { publicUrl: https, cookie: { ...secure, name: 'kennel', sameSite: 'lax' } },
    pair: /^__Host-kennel=[\w-]{43}$/,
    attributes: ['httponly', 'path=/', 'samesite=lax', 'secure'],
    hsts: HSTS,
  },
  {
    name: 'SameSite=none',
    settings: {
      publicUrl: https,
      cookie: { ...secure, sameSite: 'none' },
      corsOrigins: ['https://app.example'],
    },
    pair: /^__Host-sid=[\w-]{43}$/,
    attributes: ['httponly', 'partitioned', 'path=/', 'samesite=none', 'secure'],
    hsts: HSTS,
  },
]

/** The name and value, then the attributes in alphabetical order. */
function dissect(line: string | undefined): { pair: string; attributes: string[] } {
  const [pair = '', ...attributes] = (line ?? '').split('; ')
  return {
    pair,
    attributes: attributes.map((one) => (one.startsWith('expires') ? one : one.toLowerCase())).sort(),
  }
}

for (const { name, settings, pair, attributes, hsts } of FORMS) {
  describe(`the session cookie, ${name}`, () => {
    let service: TestService
    before(async () => {
      service = await startService({ settings })
    })
    after(() => service.close())

    itWithSessions(
      'is set by login and refresh with exactly its attributes, and a new key each time',
      async () => {
        const browser = await newcomer(service)
        const first = browser.held().cookie
        const [again, refreshed] = [await browser.login(), await browser.refresh()]
        for (const reply of [again, refreshed]) {
          expect(reply.status).to.equal(200)
          expect(setCookies(reply)).to.have.length(1)
          expect(dissect(setCookies(reply)[0]).pair).to.match(pair)
          expect(dissect(setCookies(reply)[0]).attributes).to.deep.equal(attributes)
          expect(reply.headers['strict-transport-security']).to.equal(hsts)
        }
        expect(
          new Set([first, ...[again, refreshed].map((reply) => dissect(setCookies(reply)[0]).pair)]),
        ).to.have.property('size', 3)
      },
    )

    itWithSessions('is cleared by logout with the same attributes', async () => {
      const browser = await newcomer(service)
      const cookieName = browser.held().cookie?.split('=')[0] ?? ''
      const reply = await browser.logout()
      expect(setCookies(reply)).to.have.length(1)
      expect(dissect(setCookies(reply)[0])).to.deep.equal({
        pair: `${cookieName}=`,
        attributes: [GONE, ...attributes].sort(),
      })
    })
  })
}

describe('a secure session cookie', () => {
  const serve = servicesOfTests()

  itWithSessions('is not accepted if its name lacks the prefix', async () => {
    const service = await serve({ settings: { publicUrl: https, cookie: secure } })
    const browser = await newcomer(service)
    const { cookie = '', accessToken } = browser.held()
    const headers = credentials({ cookie: cookie.replace('__Host-', ''), accessToken })
    expect((await service.client.call('GET', GET_IDENTITY, { headers })).status).to.equal(401)
    expect((await browser.getIdentity()).status).to.equal(200)
  })
})

describe('the stored session', () => {
  const serve = servicesOfTests()
  const opened = storesOfTests()

  itWithSessions(
    'holds only digests: the cookie, the tokens and the password cannot be read from it',
    async () => {
      const { store, contents } = await opened(KEPT.open)
      const service = await serve({ store })
      const browser = await newcomer(service)
      const before = browser.held()
      await browser.refresh()
      await createBrowser(service, browser.email).login('a wrong password')
      const stored = await contents()
      const secrets = [before, browser.held()].flatMap(
        ({ cookie = '', accessToken = '', refreshToken = '' }) => [
          cookie.slice('sid='.length),
          accessToken.split('.')[2] ?? '',
          refreshToken.split('.')[2] ?? '',
        ],
      )
      expect(stored).to.include(browser.email)
      for (const secret of [...secrets, PASSWORD, 'a wrong password']) {
        expect(secret.length).to.be.greaterThan(15)
        expect(stored.includes(secret)).to.equal(false)
      }
    },
  )
})
