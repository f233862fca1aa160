import { expect } from 'chai'
import type { Reply } from '../client.js'
import { PASSWORD, startService, type TestService } from '../service.js'
import { CREATE_PROJECT, GET_IDENTITY, LOGIN, LOGOUT, newcomer, REFRESH, setCookies } from './browser.js'
import { loggedOut } from './expected.js'
import { servicesOfTests } from './services.js'

const APP = 'https://app.example'
const PHONE = 'capacitor://localhost'
const PATHS = [LOGIN, GET_IDENTITY, REFRESH, LOGOUT, CREATE_PROJECT]
const EXPOSED = 'x-next,Link,Location,ETag,Retry-After,X-Request-Id'
const ALLOWED =
  'Content-Type,X-Authorization,X-API-Key,Authorization,ApiKeyAuth,BasicAuth,If-Match,If-None-Match,Idempotency-Key'
/** None of them is the listed one. */
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
]
const OTHER_ORIGIN = loggedOut(403, {
  message: 'Requests from this origin are not accepted.',
  field: '',
  type: 'Forbidden',
})

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

  for (const path of PATHS) {
    it(`answers the preflight of ${path} with 204, without credentials`, async () => {
      const headers = {
        Origin: APP,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-authorization,x-evil',
      }
      const reply = await service.client.call('OPTIONS', path, { headers })
      expect(reply.status).to.equal(204)
      expect(reply.text).to.equal('')
      expect(corsHeaders(reply)).to.have.deep.members([
        ['access-control-allow-origin', APP],
        ['access-control-allow-credentials', 'true'],
        ['access-control-allow-methods', 'GET,HEAD,POST,PATCH'],
        ['access-control-allow-headers', ALLOWED],
        ['access-control-max-age', '600'],
      ])
      expect(reply.headers.vary).to.equal('Origin')
    })
  }

  for (const origin of UNLISTED) {
    it(`gives nothing to ${origin}, and login is closed to it`, async () => {
      const browser = await newcomer(service)
      const headers = { Origin: origin }
      const preflight = { ...headers, 'Access-Control-Request-Method': 'POST' }
      const json = { email: browser.email, password: PASSWORD }
      const login = await browser.send('POST', LOGIN, { headers, json })
      const replies = [
        login,
        await browser.send('GET', GET_IDENTITY, { headers }),
        await service.client.call('OPTIONS', LOGIN, { headers: preflight }),
      ]
      for (const reply of replies) {
        expect(corsHeaders(reply)).to.deep.equal([])
        expect(reply.headers.vary).to.equal('Origin')
      }
      expect(login.json).to.deep.equal(OTHER_ORIGIN)
      expect(setCookies(login)).to.deep.equal([])
      expect((await browser.getIdentity()).status).to.equal(200)
    })
  }

  it('lets a listed origin log in across sites', async () => {
    const { email } = await newcomer(service)
    const headers = { Origin: APP, 'Sec-Fetch-Site': 'cross-site' }
    const reply = await service.client.call('POST', LOGIN, { headers, json: { email, password: PASSWORD } })
    expect(reply.status).to.equal(200)
  })
})

describe('CORS with another authorization header', () => {
  const serve = servicesOfTests()

  it('allows that one, once', async () => {
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

  it('is open to our own origin, to same-site requests and to clients that are no browsers', async () => {
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

  it('is closed to every other origin and to cross-site requests', async () => {
    const bad = [
      ...[
        APP,
        'null',
        'http://127.0.0.1',
        'http://localhost:3000',
        service.origin.replace('http', 'https'),
      ].map((Origin) => ({ Origin })),
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: service.origin, 'Sec-Fetch-Site': 'cross-site' },
    ]
    for (const headers of bad) {
      const reply = await login(headers)
      expect(reply.status, JSON.stringify(headers)).to.equal(403)
      expect(reply.json).to.deep.equal(OTHER_ORIGIN)
      expect(setCookies(reply)).to.deep.equal([])
      expect(corsHeaders(reply)).to.deep.equal([])
    }
  })

  it('is closed to a cross-site request before its password is looked at', async () => {
    const headers = { Origin: APP }
    const wrong = await service.client.call('POST', LOGIN, { headers, json: { email, password: 'wrong' } })
    expect(wrong.json).to.deep.equal(OTHER_ORIGIN)
  })

  it('is closed to the forms of other sites', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
    ]) {
      const body = JSON.stringify({ email, password: PASSWORD })
      const reply = await service.client.call('POST', LOGIN, { headers: { 'Content-Type': type }, body })
      expect(reply.status).to.equal(415)
    }
  })
})
