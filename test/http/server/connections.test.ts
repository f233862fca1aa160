import { expect } from 'chai'
import { requestText, serversOfTests, wiresOfTests } from '../../support/http/wire.js'
import { sharedService } from '../../support/http/service.js'
import { gzipSync } from 'node:zlib'
import { bindServer } from '../../../src/adapters/koa/index.js'
import { createClient, type Call } from '../../support/http/client.js'

describe('a connection', () => {
  const service = sharedService()
  const open = wiresOfTests()
  const bind = serversOfTests()

  it('states how many seconds it may be idle', async () => {
    const server = await bind((_request, response) => response.end('{}'), { keepAliveTimeout: 1_100 })
    const idle = await server.open()
    idle.send(requestText('GET / HTTP/1.1'))
    expect((await idle.repliesAfter(1))[0]?.headers.get('Keep-Alive')).to.equal('timeout=1')
  })

  it('gets 100 Continue if the client expects it before the body', async () => {
    const headers = {
      Host: 'x',
      'X-API-Key': await service.apiKey(),
      'Content-Type': 'application/json',
      'Content-Length': '14',
      Expect: '100-continue',
    }
    const wire = await open(service.origin)
    wire.send(requestText('POST /v1/pets HTTP/1.1', headers))
    expect((await wire.repliesAfter(1))[0]?.status).to.equal(100)
    wire.send('{"name":"Rex"}')
    expect((await wire.repliesAfter(2))[1]?.status).to.equal(201)
  })
})

const LOGIN = '/api/auth/login'
const LARGE = JSON.stringify({ email: 'a'.repeat(200_000) })
const JSON_TYPE = { 'Content-Type': 'application/json' }
const CHUNKED = { 'Transfer-Encoding': 'chunked' }
const typed = (body: string, headers: object = {}): Call => ({ headers: { ...JSON_TYPE, ...headers }, body })
const packed = (body: string | Uint8Array): Call => ({
  headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
  body,
})

type Sent = readonly [name: string, status: number, method: string, path: string, call: Call]

const UNREAD: readonly Sent[] = [
  ['a body that is too large, of unknown length', 413, 'POST', LOGIN, typed(LARGE, CHUNKED)],
  ['a body that is too large after decompression', 413, 'POST', LOGIN, packed(gzipSync(LARGE))],
  ['a body that cannot be decompressed', 400, 'POST', LOGIN, packed('not packed at all')],
  ['no credentials', 401, 'POST', '/v1/pets', typed('{"name":"Rex"}')],
  ['another type', 415, 'POST', LOGIN, typed('{}', { 'Content-Type': 'text/plain' })],
  ['no path, of unknown length', 404, 'PUT', '/nothing', { headers: CHUNKED, body: '{}' }],
  ['an unknown method', 405, 'PROPFIND', LOGIN, { body: '{}' }],
  ['a body that no endpoint expects', 200, 'GET', '/health/live', { body: '{}' }],
]

const GUESS = { email: 'ada@example.com', password: 'a guess' }
const READ: readonly Sent[] = [
  ['an empty body', 404, 'POST', '/nothing', { body: '' }],
  ['no credentials and no body', 401, 'GET', '/v1/pets', {}],
  ['a body that is not JSON', 400, 'POST', LOGIN, typed('{')],
  ['a wrong password, compressed', 401, 'POST', LOGIN, packed(gzipSync(JSON.stringify(GUESS)))],
]

describe('the connection after a response', () => {
  const service = sharedService()

  for (const [connection, calls] of Object.entries({ close: UNREAD, 'keep-alive': READ }))
    for (const [name, status, method, path, call] of calls)
      it(`is ${connection === 'close' ? 'closed' : 'kept open'} after ${status} for ${name}`, async () => {
        const reply = await service.client.call(method, path, call)
        expect([reply.status, reply.headers.connection]).to.deep.equal([status, connection])
      })

  for (const [name, body, connection] of [
    ['closed', '{}', 'close'],
    ['kept', '', 'keep-alive'],
  ] as const)
    it(`is ${name} while the service is starting, for a body of ${body.length} bytes`, async () => {
      const server = await bindServer('127.0.0.1', 0, { requestTimeout: 2_000 })
      const client = createClient(`http://127.0.0.1:${server.port}`, () => undefined)
      const reply = await client.call('POST', LOGIN, { body })
      expect([reply.status, reply.headers.connection]).to.deep.equal([503, connection])
      client.close()
      await server.drain(1_000)
    })
})
