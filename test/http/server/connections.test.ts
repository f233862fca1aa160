import { expect } from 'chai'
import { requestText, serversOfTests, wiresOfTests } from '../../support/http/wire.js'
import { sharedService } from '../../support/http/service.js'
import { gzipSync } from 'node:zlib'
import { Agent, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { bindServer } from '../../../src/adapters/koa/index.js'
import { createClient, type Call } from '../../support/http/client.js'

const LIVE = '/health/live'

describe('a connection', () => {
  const service = sharedService()
  const open = wiresOfTests()
  const bind = serversOfTests()

  for (const [keepAliveTimeout, told] of [
    [100, 'timeout=0'],
    [1_100, 'timeout=1'],
    [65_000, 'timeout=65'],
  ] as const)
    it(`states how long it may be idle: ${keepAliveTimeout} ms`, async () => {
      const server = await bind((_request, response) => response.end('{}'), { keepAliveTimeout })
      const idle = await server.open()
      idle.send(requestText(`GET ${LIVE} HTTP/1.1`, { Host: 'x' }))
      const [reply] = await idle.repliesAfter(1)
      expect(reply?.headers.get('Keep-Alive')).to.equal(told)
      if (keepAliveTimeout === 100) expect(await idle.closed()).to.have.length(1)
      idle.destroy()
      expect(await server.drain(1000)).to.equal(true)
    })

  for (const version of ['1.0', '1.1'])
    it(`does not require a Host header with HTTP/${version}`, async () => {
      const wire = await open(service.origin)
      wire.send(requestText(`GET ${LIVE} HTTP/${version}`))
      expect((await wire.repliesAfter(1))[0]?.json).to.deep.equal({ status: 'ok' })
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
  ['a body that is too large', 413, 'POST', LOGIN, typed(LARGE)],
  ['a body that is too large, of unknown length', 413, 'POST', LOGIN, typed(LARGE, CHUNKED)],
  ['a body that is too large after decompression', 413, 'POST', LOGIN, packed(gzipSync(LARGE))],
  ['a body that cannot be decompressed', 400, 'POST', LOGIN, packed('not packed at all')],
  ['a truncated compressed body', 400, 'POST', LOGIN, packed(gzipSync('{"email":1}').subarray(0, 15))],
  ['no credentials', 401, 'POST', '/v1/pets', typed('{"name":"Rex"}')],
  ['a wrong key', 401, 'PATCH', '/v1/pets/1', typed('{}', { 'X-API-Key': 'x' })],
  ['another type', 415, 'POST', LOGIN, typed('{}', { 'Content-Type': 'text/plain' })],
  ['another coding', 415, 'POST', LOGIN, typed('{}', { 'Content-Encoding': 'x' })],
  ['no path', 404, 'POST', '/nothing', { body: '{}' }],
  ['no path, of unknown length', 404, 'PUT', '/nothing', { headers: CHUNKED, body: '{}' }],
  ['another method', 405, 'PUT', '/v1/pets', typed('{}')],
  ['an unknown method', 405, 'PROPFIND', LOGIN, { body: '{}' }],
  ['a body that no endpoint expects', 200, 'GET', '/health/live', { body: '{}' }],
]

const GUESS = { email: 'ada@example.com', password: 'a guess' }
const READ: readonly Sent[] = [
  ['no body', 200, 'GET', '/health/live', {}],
  ['an empty body', 404, 'POST', '/nothing', { body: '' }],
  ['another method without a body', 405, 'DELETE', LOGIN, {}],
  ['no credentials and no body', 401, 'GET', '/v1/pets', {}],
  ['a body that is not JSON', 400, 'POST', LOGIN, typed('{')],
  ['a wrong password', 401, 'POST', LOGIN, { json: GUESS }],
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

  for (const body of [LARGE, LARGE.repeat(10), '{"email":1}'])
    it(`is never reused after ${body.length} unread bytes`, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const send = async (method: string, path: string, sent?: string) => {
        const headers = { 'Content-Type': 'text/plain' }
        const asked = request(service.origin + path, { agent, method, headers }).end(sent)
        const [reply] = (await once(asked, 'response')) as [IncomingMessage]
        await once(reply.resume(), 'end')
        return [reply.statusCode, asked.reusedSocket]
      }
      for (let count = 0; count < 20; count += 1) {
        expect((await send('POST', LOGIN, body))[0]).to.equal(415)
        expect(await send('GET', '/health/live')).to.deep.equal([200, false])
        expect(await send('GET', '/health/live')).to.deep.equal([200, true])
      }
      agent.destroy()
    })

  for (const [name, body, connection] of [
    ['closed', '{}', 'close'],
    ['kept', '', 'keep-alive'],
    ['closed', 'x'.repeat(100_000), 'close'],
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
