import { expect } from 'chai'
import type { Call, Reply } from '../../support/http/client.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
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
import { expectInvalidTokenAt, PROTECTED_ROUTES } from '../../support/http/protected-routes.js'
import { servicesOfTests } from '../../support/http/services.js'

const APP = 'https://app.example'
const PHONE = 'capacitor://localhost'
const PATHS = [LOGIN, GET_IDENTITY, REFRESH, LOGOUT, '/v1/pets', ...PROTECTED_ROUTES.map(({ path }) => path)]
const EXPOSED = 'x-next,Link,Location,ETag,Retry-After,X-Request-Id'
const ALLOWED =
  'Content-Type,X-Authorization,X-API-Key,Authorization,ApiKeyAuth,BasicAuth,If-Match,If-None-Match,Idempotency-Key'
const UNLISTED = ['https://evil.example', 'https://app.example:8443', 'null', '*']

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

  it('is not needed to secure the protected routes: a cookie alone never authenticates', async () => {
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
      expect([setCookies(login), login.status, identity.status], origin).to.deep.equal([[], 403, 200])
    }
  })

  it('lets a listed origin log in across sites', async () => {
    const { email } = await newcomer(service)
    const headers = { Origin: APP, 'Sec-Fetch-Site': 'cross-site' }
    const reply = await service.client.call('POST', LOGIN, { headers, json: { email, password: PASSWORD } })
    expect(reply.status).to.equal(200)
  })
})

describe('CORS with other credential headers', () => {
  const serve = servicesOfTests()

  it('allows each of them once', async () => {
    const settings = { authorizationHeader: 'Authorization', petsApiKeyHeader: 'X-Kennel-Key' }
    const service = await serve({ settings: { corsOrigins: [APP], ...settings } })
    const headers = { Origin: APP, 'Access-Control-Request-Method': 'GET' }
    const reply = await service.client.call('OPTIONS', GET_IDENTITY, { headers })
    expect(reply.headers['access-control-allow-headers']).to.equal(
      'Content-Type,Authorization,X-Kennel-Key,ApiKeyAuth,BasicAuth,If-Match,If-None-Match,Idempotency-Key',
    )
  })
})
