import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import fc from 'fast-check'
import { bindServer, createHttpService, type BoundServer } from '../../../src/adapters/koa/index.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { OPERATOR, type Kennel } from '../../../src/index.js'
import { webListener } from '../../support/http/host.js'
import { createClient, type Call, type Client, type Reply } from '../../support/http/client.js'
import { collectingLog } from '../../support/log-collector.js'
import { PASSWORD } from '../../support/http/service.js'
import { EMAIL, ORIGIN, openMemoryKennel } from '../../support/http/memory-kennel.js'

const APP = 'https://app.example'
const { log } = collectingLog()

/** No request may change data, so that both hosts give the same reply in any order. */
const PERMISSIONS = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    everyone: { components: { auth: ['login', 'get-identity'], user: ['find'] } },
    user: { components: { pets: ['list', 'read'] } },
  },
} as const

describe('the same request over both hosts', () => {
  let kennel: Kennel
  const servers: BoundServer[] = []
  const clients: Client[] = []
  let held: Held

  before(async () => {
    kennel = await openMemoryKennel({ corsOrigins: [APP], trustProxy: 1, permissions: PERMISSIONS })
    const keys = [
      await kennel.createApiKey({ caller: OPERATOR, name: 'one', roles: [] }),
      await kennel.createApiKey({ caller: OPERATOR, name: 'two', roles: [] }),
    ]
    const parts = { useCases: kennel, settings: kennel.httpSettings, readiness: () => kennel.ready(), log }
    const koa = createHttpService(parts).callback()
    const listeners = [
      (...exchange: Parameters<typeof koa>) => void koa(...exchange),
      webListener({ ...parts, bodyTimeout: 30_000 }),
    ]
    for (const listener of listeners) {
      const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
      server.serve(listener)
      servers.push(server)
      clients.push(createClient(`http://127.0.0.1:${server.port}`, () => undefined))
    }
    const { sessionKey = '', accessToken } = await kennel.login({
      email: EMAIL,
      password: PASSWORD,
      presented: {},
    })
    held = {
      cookie: `sid=${sessionKey}`,
      bearer: `Bearer ${accessToken}`,
      key: keys[0]!.key,
      other: keys[1]!.key,
      basic: `Basic ${Buffer.from(`${EMAIL}:${PASSWORD}`).toString('base64')}`,
    }
  })
  after(async () => {
    for (const client of clients) client.close()
    for (const server of servers) await server.drain(1000)
    await kennel.close()
  })

  it('has the same status, headers and body', async () => {
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(requests(held), async ({ method, path, call }) => {
        const [koa, web] = await Promise.all(clients.map((client) => client.call(method, path, call)))
        statuses.add(koa!.status)
        expect(seen(web!)).to.deep.equal(seen(koa!))
      }),
      { numRuns: 1500, examples: rare(held).map((one) => [one]) },
    )
    expect([...statuses]).to.include.members([200, 204, 304, 400, 401, 403, 404, 405, 413, 415])
  })
})

type Held = Readonly<Record<'cookie' | 'bearer' | 'key' | 'other' | 'basic', string>>
type Headers = Readonly<Record<string, Value>>
type Sent = { readonly method: string; readonly path: string; readonly call: Call }

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const PATHS = [
  ...['login', 'get-identity', 'refresh', 'logout', 'reset-password', 'login-as', 'nothing', ''].map(
    (name) => `/api/auth/${name}`,
  ),
  ...[
    ...['', '?limit=1', '?limit=0&cursor=x', '?ids=1,2', '?ids=1&limit=1', '?limit=1&limit=2', '?%ff=%', '?'],
  ].map((query) => `/v1/pets${query}`),
  ...['1', '0', '%31', '1%00', '%zz', '1/', '1/2', 'a;b', '1?x=/y'].map((id) => `/v1/pets/${id}`),
  ...['create', 'close', '1', '0', 'x', '1/'].map((name) => `/api/project/${name}`),
  ...[
    ...['/api/project', '/api/project?limit=0', '/health/live', '/health/ready', '/openapi.json'],
    '/.well-known/jwks.json',
  ],
  ...['/', '//', '/V1/pets', '/v1/pets/', '/api', '/docs', '/docs/', '/docs/x.js', '/health/live?x#y', '/*'],
]

/** Valid credentials or none, and up to four other headers, which may replace them. */
function headersOf(held: Held): fc.Arbitrary<Headers> {
  const { cookie, bearer, key, basic } = held
  const right = [
    {},
    { 'X-API-Key': key },
    { Cookie: cookie, 'X-Authorization': bearer },
    { Authorization: basic },
  ]
  const others = fc.uniqueArray(fc.oneof(...Object.entries(strangeHeaders(held)).map(oneOf)), {
    maxLength: 4,
    selector: ([name]) => name,
  })
  return fc
    .tuple(fc.constantFrom(...right), fc.constantFrom({}, { 'Content-Type': JSON_TYPE }), others)
    .map(([credentials, type, more]) => ({ ...credentials, ...type, ...Object.fromEntries(more) }))
}

function oneOf([name, values]: [string, readonly Value[]]): fc.Arbitrary<readonly [string, Value]> {
  return fc.constantFrom(...values).map((value) => [name, value] as const)
}

type Value = string | readonly string[]

function strangeHeaders({
  cookie,
  bearer,
  key,
  other,
  basic,
}: Held): Readonly<Record<string, readonly Value[]>> {
  return {
    Cookie: [
      `a=b; ${cookie}`,
      `${cookie}; ${cookie}`,
      'sid=wrong',
      'sid=',
      [cookie, 'a=b'],
      [cookie, cookie],
    ],
    'X-Authorization': [bearer.toLowerCase(), `${bearer} x`, 'Bearer x', '', [bearer, bearer], [bearer, 'x']],
    'X-API-Key': ['wrong', '', [key, key], [key, other], ['', key]],
    ApiKeyAuth: [key, other, ''],
    Authorization: [
      bearer,
      'Basic',
      'Basic %%',
      'Basic YQ',
      [basic, basic],
      [basic, 'Basic YTpi'],
      [bearer, basic],
    ],
    BasicAuth: [basic, basic.slice(6), 'x'],
    Accept: ['*/*', JSON_TYPE, 'text/html', 'text/html, */*;q=0.1', 'application/json;q=0', 'x', ''],
    'Content-Type': [`${JSON_TYPE}; charset=utf-8`, `${JSON_TYPE}; charset=latin1`, 'text/plain', PATCH, ''],
    'Content-Encoding': ['gzip', 'identity', 'br', 'x', ''],
    'If-None-Match': ['*', '"1-1"', 'W/"1-1"', 'x'],
    'If-Match': ['*', '"1-1"', ''],
    'Idempotency-Key': ['12345678', '', ['a', 'b']],
    Origin: [ORIGIN, 'http://localhost:3000', APP, 'https://evil.example', 'null', '', [APP, APP]],
    'Access-Control-Request-Method': ['POST', ''],
    'Access-Control-Request-Headers': ['traceparent, x-authorization', 'x y', ['baggage', 'accept'], ''],
    'Sec-Fetch-Site': ['cross-site', 'same-origin', ['cross-site', 'x']],
    'Accept-Encoding': ['gzip', 'gzip;q=0', 'identity', 'br'],
    'X-Forwarded-For': ['192.0.2.1', '192.0.2.1, x', ['192.0.2.1', '2001:db8::1'], ''],
    'X-Request-Id': ['a-good-request-id', 'x', ['a-good-request-id', 'another-one']],
    'Transfer-Encoding': ['chunked'],
  }
}

const JSON_TYPE = 'application/json'
const PATCH = 'application/merge-patch+json'
const WRONG = { email: EMAIL, password: 'a wrong password' }
const BODIES = [
  ...[WRONG, { email: 1 }, {}, [], null, 'text', { name: 'Rex' }, { refreshToken: 'x' }].map((one) =>
    JSON.stringify(one),
  ),
  ...[
    '{',
    '',
    '\ufeff{}',
    '{"a":1}{}',
    `{"email":"${'a'.repeat(20_000)}"}`,
    `{"name":"${'a'.repeat(70_000)}"}`,
  ],
]

function requests(held: Held): fc.Arbitrary<Sent> {
  const plain = fc.constantFrom(...BODIES)
  const packed = plain.map((text) => gzipSync(text))
  const broken = fc.uint8Array({ maxLength: 100 })
  const calls = fc.record(
    { headers: headersOf(held), body: fc.oneof(plain, plain, packed, broken) },
    { requiredKeys: ['headers'] },
  )
  return fc.record({
    method: fc.constantFrom(...METHODS),
    path: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...PATHS) },
      { weight: 1, arbitrary: strangePaths },
    ),
    call: calls.map(({ headers, body }) =>
      body === undefined ? { headers: without(headers) } : { headers, body },
    ),
  })
}

/** Requests that random generation rarely produces. */
function rare({ cookie, bearer, basic }: Held): readonly Sent[] {
  const session = { Cookie: cookie, 'X-Authorization': bearer, 'Content-Type': JSON_TYPE }
  const basics = { Authorization: basic, 'Content-Type': JSON_TYPE }
  const preflight = { Origin: APP, 'Access-Control-Request-Method': 'POST' }
  const large = `{"name":"${'a'.repeat(70_000)}"}`
  const packed = { ...basics, 'Content-Encoding': 'gzip' }
  const chunked = { ...basics, 'Transfer-Encoding': 'chunked' }
  const to = (method: string, path: string, call: Call): Sent => ({ method, path, call })
  return [
    to('OPTIONS', '/api/auth/login', { headers: preflight }),
    to('GET', '/openapi.json', { headers: { 'If-None-Match': '*' } }),
    ...['GET', 'HEAD'].map((method) =>
      to(method, '/openapi.json', { headers: { 'Accept-Encoding': 'gzip', Origin: APP } }),
    ),
    to('GET', '/openapi.json', { headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': '*' } }),
    to('GET', '/api/auth/get-identity', { headers: session }),
    to('GET', '/v1/pets', { headers: basics }),
    to('POST', '/api/project/create', { headers: session, body: '{"label":"Roof"}' }),
    to('POST', '/api/auth/login-as', { headers: session, body: '{"userId":1}' }),
    to('POST', '/v1/pets', { headers: basics, body: large }),
    to('POST', '/v1/pets', { headers: chunked, body: large }),
    to('POST', '/v1/pets', { headers: packed, body: gzipSync(large) }),
    to('POST', '/v1/pets', { headers: packed, body: gzipSync('{"name":"Rex"}') }),
    to('POST', '/v1/pets', { headers: packed, body: gzipSync('{"name":"Rex"}').subarray(0, 20) }),
  ]
}

/** Headers for a request without a body, which `Transfer-Encoding` would announce. */
function without(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Transfer-Encoding'))
}

/** Paths that a URL keeps unchanged. */
const strangePaths = fc
  .stringMatching(/^\/[A-Za-z0-9_~!$&'()*+,;=:@%/?-]{0,30}$/)
  .filter((path) => !/%2e/i.test(path))

/** The reply without headers of the server and without the request ID. */
function seen({ status, rawHeaders, text }: Reply) {
  const headers: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!CONNECTION.includes(name.toLowerCase()))
      headers.push(`${name.toLowerCase()}: ${value.replace(UUID, 'an id')}`)
  }
  return { status, headers: headers.sort(), text }
}

const CONNECTION = ['date', 'keep-alive', 'transfer-encoding']
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
