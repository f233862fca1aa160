import { expect } from 'chai'
import type { HttpSettings } from '../../../src/http/parts.js'
import type { Reply } from '../../support/http/client.js'
import { guarded } from '../../support/http/factor.js'
import { PASSWORD, servicesOfTests, itWithSessions } from '../../support/http/service.js'
import { createBrowser, keep, LOGIN, newcomer, refreshWith, setCookies } from '../../support/http/browser.js'
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
})

describe('the cookie of a remembered login', () => {
  const serve = servicesOfTests()
  const MONTH = 2_592_000

  itWithSessions('has a maximum age until the end of the login, also after a repeated refresh', async () => {
    const service = await serve({ rememberLogin: true })
    const { email } = await newcomer(service)
    const json = { email, password: PASSWORD, remember: true }
    const reply = await service.client.call('POST', LOGIN, { json })
    const held = keep({}, reply)
    const flags = 'samesite=strict; httponly'
    expect(setCookies(reply)).to.deep.equal([`${held.cookie}; path=/; max-age=${MONTH}; ${flags}`])
    service.clock.now += 60_000
    const browser = createBrowser(service, email, { held })
    const renewed = setCookies(await browser.refresh())
    const age = `max-age=${MONTH - 60}`
    expect(renewed).to.deep.equal([`${browser.held().cookie}; path=/; ${age}; ${flags}`])
    expect(setCookies(await refreshWith(service, held))).to.deep.equal(renewed)
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
