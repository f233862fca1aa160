import { expect } from 'chai'
import type { Call, Reply } from '../../support/http/client.js'
import { PASSWORD, startService, type TestOptions, type TestService } from '../../support/http/service.js'
import {
  CREATE_PROJECT,
  credentials,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  newcomer,
  REFRESH,
  setCookies,
} from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import { expectInvalidTokenAt, PROTECTED_ROUTES } from '../../support/http/protected-routes.js'
import { servicesOfTests } from '../../support/http/services.js'

const APP = 'https://app.example'
const PHONE = 'capacitor://localhost'
const PATHS = [LOGIN, GET_IDENTITY, REFRESH, LOGOUT, ...PROTECTED_ROUTES.map(({ path }) => path)]
const EXPOSED = 'x-next,Link,Location,ETag,Retry-After,X-Request-Id'
const ALLOWED =
  'Content-Type,X-Authorization,X-API-Key,Authorization,ApiKeyAuth,BasicAuth,If-Match,If-None-Match,Idempotency-Key'
/** None of them is the listed origin. */
const UNLISTED = [
  'https://evil.example',
  'https://app.example.evil.example',
  'https://evil-app.example',
  'http://app.example',
  'https://app.example:8443',
  'https://app.example/',
  'https://APP.example',
  'null',
  '*',
  'ionic://evil.example',
  '<script>alert(1)</script>',
  'http://evil.example/<b>',
  'http://evil.example set PUBLIC_URL',
  `http://${'e'.repeat(300)}.example`,
]
const refused = (message: string) => loggedOut(403, { message, field: '', type: 'Forbidden' })
const otherOrigin = (named: string) =>
  refused(
    `Requests from ${named} are not accepted: PUBLIC_URL is another one, and CORS_ORIGINS does not list it.`,
  )
const OTHER_SITE = refused(
  'Requests from another site are not accepted, unless CORS_ORIGINS lists its origin.',
)
/** The error names a refused origin only if the origin is well-formed. */
const refusalOf = (origin: string) =>
  otherOrigin(/^[a-z]+:\/\/[\w.:-]{1,50}$/.test(origin) ? `the origin ${origin}` : 'this origin')

const corsHeaders = ({ headers }: Reply) =>
  Object.entries(headers).filter(([name]) => name.startsWith('access-control-'))

describe('CORS with listed origins', () => {
  let service: TestService
  before(async () => {
    service = await startService({ settings: { corsOrigins: [APP, PHONE] } })
  })
  after(() => service.close())

  for (const origin of [APP, PHONE]) {
    it(`echoes ${origin} exactly, with credentials, on successes and failures`, async () => {
      const browser = await newcomer(service)
      const headers = { Origin: origin }
      const json = { email: browser.email, password: PASSWORD }
      const replies = [
        await browser.send('GET', GET_IDENTITY, { headers }),
        await browser.send('POST', LOGIN, { headers, json }),
        await browser.send('POST', LOGIN, { headers, json: { ...json, password: 'wrong' } }),
        await browser.send('POST', LOGIN, { headers, body: 'x'.repeat(20_000) }),
        await browser.send('POST', CREATE_PROJECT, { headers, json: {} }),
        await browser.send('GET', LOGIN, { headers }),
        await browser.send('GET', '/api/nothing', { headers }),
        await service.client.call('GET', GET_IDENTITY, { headers }),
      ]
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 401, 415, 403, 405, 404, 401])
      for (const reply of replies) {
        expect(corsHeaders(reply)).to.have.deep.members([
          ['access-control-allow-origin', origin],
          ['access-control-allow-credentials', 'true'],
          ['access-control-expose-headers', EXPOSED],
        ])
        expect(reply.headers.vary).to.equal('Origin')
      }
    })
  }

  it('answers the preflight of every path with 204, without credentials', async () => {
    const headers = {
      Origin: APP,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-authorization,x-evil',
    }
    for (const path of PATHS) {
      const reply = await service.client.call('OPTIONS', path, { headers })
      expect([reply.status, reply.text, reply.headers.vary], path).to.deep.equal([204, '', 'Origin'])
      expect(corsHeaders(reply), path).to.have.deep.members([
        ['access-control-allow-origin', APP],
        ['access-control-allow-credentials', 'true'],
        ['access-control-allow-methods', 'GET,HEAD,POST,PATCH,DELETE'],
        ['access-control-allow-headers', ALLOWED],
        ['access-control-max-age', '600'],
      ])
    }
  })

  it('is not needed to close the protected routes: a cookie alone never authenticates', async () => {
    const browser = await newcomer(service)
    const { cookie } = browser.held()
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    for (const { method, path, json } of PROTECTED_ROUTES) {
      const form: Call = { body: JSON.stringify(json), headers: { 'Content-Type': 'text/plain' } }
      for (const call of json === undefined ? [{}] : [{ json }, form]) {
        const headers = { ...credentials({ cookie }), ...foreign, ...call.headers }
        const reply = await service.client.call(method, path, { ...call, headers })
        expectInvalidTokenAt(path, reply)
        expect(corsHeaders(reply), path).to.deep.equal([])
      }
    }
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('gives nothing to an origin that is not listed, and refuses its login', async () => {
    const browser = await newcomer(service)
    const json = { email: browser.email, password: PASSWORD }
    for (const origin of UNLISTED) {
      const headers = { Origin: origin }
      const preflight = { ...headers, 'Access-Control-Request-Method': 'POST' }
      const login = await browser.send('POST', LOGIN, { headers, json })
      const identity = await browser.send('GET', GET_IDENTITY, { headers })
      for (const reply of [
        login,
        identity,
        await service.client.call('OPTIONS', LOGIN, { headers: preflight }),
      ])
        expect([corsHeaders(reply), reply.headers.vary], origin).to.deep.equal([[], 'Origin'])
      expect(login.json, origin).to.deep.equal(refusalOf(origin))
      expect([setCookies(login), identity.status], origin).to.deep.equal([[], 200])
    }
  })

  it('lets a listed origin log in across sites', async () => {
    const { email } = await newcomer(service)
    const headers = { Origin: APP, 'Sec-Fetch-Site': 'cross-site' }
    const reply = await service.client.call('POST', LOGIN, { headers, json: { email, password: PASSWORD } })
    expect(reply.status).to.equal(200)
  })
})

describe('CORS with another authorization header', () => {
  const serve = servicesOfTests()

  it('allows that header, once', async () => {
    const service = await serve({
      settings: { corsOrigins: [APP], authorizationHeader: 'Authorization' },
    })
    const headers = { Origin: APP, 'Access-Control-Request-Method': 'GET' }
    const reply = await service.client.call('OPTIONS', GET_IDENTITY, { headers })
    expect(reply.headers['access-control-allow-headers']).to.equal(
      'Content-Type,Authorization,X-API-Key,ApiKeyAuth,BasicAuth,If-Match,If-None-Match,Idempotency-Key',
    )
  })
})

describe('login on localhost', () => {
  const serve = servicesOfTests()
  const NAMES = ['localhost', '127.0.0.1', '[::1]']

  /** The statuses of logins from these origins. */
  async function statuses(settings: TestOptions['settings'], origins: readonly string[]) {
    const service = await serve({ settings: settings ?? {} })
    const { email } = await newcomer(service)
    const json = { email, password: PASSWORD }
    const replies = origins.map((Origin) => service.client.call('POST', LOGIN, { headers: { Origin }, json }))
    return (await Promise.all(replies)).map(({ status }) => status)
  }

  for (const name of NAMES) {
    it(`accepts every loopback name if PUBLIC_URL has ${name}`, async () => {
      const origins = NAMES.map((one) => `http://${one}:3000`)
      expect(await statuses({ publicUrl: `http://${name}:3000` }, origins)).to.deep.equal([200, 200, 200])
    })
  }

  it('refuses another port, another protocol and other names', async () => {
    const origins = [
      ...['http://localhost', 'http://localhost:3001', 'https://localhost:3000', 'http://127.0.0.2:3000'],
      ...['http://localhost.evil.example:3000', 'http://evil.localhost:3000', 'http://[::2]:3000'],
    ]
    expect(new Set(await statuses({ publicUrl: 'http://127.0.0.1:3000' }, origins))).to.deep.equal(
      new Set([403]),
    )
  })

  it('uses the default port of the protocol', async () => {
    expect(await statuses({ publicUrl: 'http://localhost' }, ['http://127.0.0.1'])).to.deep.equal([200])
  })

  it('accepts only the origin of PUBLIC_URL in production and for a public host', async () => {
    const local = { publicUrl: 'http://127.0.0.1:3000', production: true }
    expect(await statuses(local, ['http://localhost:3000', 'http://127.0.0.1:3000'])).to.deep.equal([
      403, 200,
    ])
    const far = { publicUrl: 'http://pets.example:3000' }
    expect(await statuses(far, ['http://localhost:3000', 'http://127.0.0.1:3000'])).to.deep.equal([403, 403])
  })
})

describe('login without listed origins', () => {
  let service: TestService
  let email: string
  before(async () => {
    service = await startService()
    email = (await newcomer(service)).email
  })
  after(() => service.close())

  const login = (headers: Record<string, string>) =>
    service.client.call('POST', LOGIN, { headers, json: { email, password: PASSWORD } })

  it('accepts our own origin, same-site requests and clients that are not browsers', async () => {
    const good = [
      {},
      { Origin: service.origin },
      { Origin: service.origin, 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
    ]
    for (const headers of good) {
      const reply = await login(headers)
      expect(reply.status, JSON.stringify(headers)).to.equal(200)
      expect(corsHeaders(reply)).to.deep.equal([])
    }
  })

  it('refuses every other origin and cross-site requests', async () => {
    const bad = [
      ...[
        APP,
        'null',
        'http://127.0.0.1',
        'http://localhost:3000',
        service.origin.replace('http', 'https'),
      ].map((Origin) => [{ Origin }, refusalOf(Origin)] as const),
      [{ 'Sec-Fetch-Site': 'cross-site' }, OTHER_SITE] as const,
      [{ Origin: service.origin, 'Sec-Fetch-Site': 'cross-site' }, OTHER_SITE] as const,
    ]
    for (const [headers, refusal] of bad) {
      const reply = await login(headers)
      expect(reply.status, JSON.stringify(headers)).to.equal(403)
      expect(reply.json).to.deep.equal(refusal)
      expect(setCookies(reply)).to.deep.equal([])
      expect(corsHeaders(reply)).to.deep.equal([])
    }
  })
})
