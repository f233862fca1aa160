import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { finish, requestText, wiresOfTests, type WireReply, serversOfTests } from '../../support/http/wire.js'
import { collectingLog } from '../../support/log-collector.js'
import { sharedService, webListener, PASSWORD } from '../../support/http/service.js'
import type { RequestListener } from 'node:http'
import { createHttpService } from '../../../src/adapters/koa/index.js'
import type { ServerLimits } from '../../../src/adapters/koa/server/server.js'
import { OPERATOR, type Kennel } from '../../../src/index.js'
import { connectionTable, expectedOf, outcomesOf } from '../../support/http/connection-table.js'
import { EMAIL, openMemoryKennel } from '../../support/http/memory-kennel.js'

const TIMEOUT = 300

const TOO_LATE = { code: 408, message: 'The request took too long to arrive.' }
const TOO_LARGE = { code: 431, message: 'The request headers are too large.' }
const CHUNKED = { 'Transfer-Encoding': 'chunked' }
const NO_HTTP = { code: 400, message: 'The request is not valid HTTP.' }

function expectBroken(reply: WireReply | undefined, body: { code: number }): void {
  expect(reply?.json).to.deep.equal(body)
  expect(reply?.status).to.equal(body.code)
  expect(reply?.headers.get('Connection')).to.equal('close')
  expect(reply?.headers.get('Content-Type')).to.equal('application/json; charset=utf-8')
  expect(reply?.headers.get('X-Content-Type-Options')).to.equal('nosniff')
  expect(reply?.headers.get('Cache-Control')).to.equal('no-store')
  expect(reply?.headers.get('X-Request-Id')).to.match(/^[0-9a-f-]{36}$/)
}

describe('a request that does not arrive completely', () => {
  const collected = collectingLog()
  const service = sharedService({
    requestTimeout: TIMEOUT,
    log: collected.log,
    settings: { trustProxy: 1 },
  })
  const openAt = wiresOfTests()

  const open = () => openAt(service.origin)
  const sendAll = async (bytes: string | Uint8Array) => {
    const wire = await open()
    wire.send(bytes)
    return await wire.closed()
  }
  const petHeaders = async () => ({
    ...{ Host: 'x', 'X-API-Key': await service.apiKey(), 'Content-Type': 'application/json' },
  })
  const expectAlive = async () => {
    expect((await service.client.call('GET', '/health/live')).status).to.equal(200)
  }

  it('gets 431 with 17 kB of headers, but is accepted with 15 kB', async () => {
    const wire = await open()
    wire.send(requestText('GET /health/live HTTP/1.1', { Host: 'x', 'X-Long': 'a'.repeat(15_000) }))
    expect((await wire.repliesAfter(1))[0]?.status).to.equal(200)
    const [reply] = await sendAll(requestText('GET / HTTP/1.1', { Host: 'x', 'X-Long': 'a'.repeat(17_000) }))
    expectBroken(reply, TOO_LARGE)
  })

  it('gets 431 with a header of 2 MB', async () => {
    const headers = { Authorization: 'a'.repeat(2_000_000) }
    const reply = await service.client.call('GET', '/v1/pets', { headers })
    expect(reply.json).to.deep.equal(TOO_LARGE)
  })

  it('gets 400 if it is not HTTP', async () => {
    expectBroken((await sendAll('hello\r\n\r\n'))[0], NO_HTTP)
  })

  it('gets 408 if its header section arrives one byte at a time', async () => {
    const wire = await open()
    const drip = setInterval(() => wire.send('a'), 20)
    wire.send('GET /')
    const replies = await wire.closed()
    clearInterval(drip)
    expect(replies).to.have.length(1)
    expectBroken(replies[0], TOO_LATE)
  })

  for (const [what, framing, body, error] of [
    ['slow', { 'Content-Length': '100' }, '{"name":', TOO_LATE],
    ['slow and chunked', CHUNKED, '8\r\n{"name":\r\n', TOO_LATE],
    ['malformed', CHUNKED, '5\r\n{"nam\r\nxyz\r\n', NO_HTTP],
  ] as const)
    it(`gets ${error.code} if its body is ${what}`, async () => {
      const requestId = '0123456789-0123456789-0123456789-abc'
      const headers = { ...(await petHeaders()), ...framing, 'X-Request-Id': requestId }
      const [reply, ...others] = await sendAll(requestText('POST /v1/pets HTTP/1.1', headers, body))
      expect([reply?.json, others]).to.deep.equal([error, []])
      // A host that detects a malformed chunk before it has received the request creates the ID itself.
      if (error === TOO_LATE) expect(reply?.headers.get('X-Request-Id')).to.equal(requestId)
      expect(reply?.headers.get('Connection')).to.equal('close')
      expect((await service.store.pets.page(undefined, 1 as never)).pets).to.deep.equal([])
    })

  it('gets no response and no log line if the client has disconnected', async () => {
    const headers = await petHeaders()
    const texts = [
      requestText('POST /v1/pets HTTP/1.1', { ...headers, ...CHUNKED }, '5\r\n{"nam'),
      requestText('GET /v1/pets HTTP/1.1', headers),
      'GET /v1/pe',
      '',
    ]
    collected.lines.length = 0
    for (const text of texts) {
      for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
        const wire = await open()
        if (text !== '') wire.send(text)
        await expectAlive()
        wire.socket[leave]()
        await wire.closed()
      }
    }
    await expectAlive()
    expect(collected.lines.filter(({ level }) => level !== 'debug')).to.deep.equal([])
    expect((await service.store.pets.page(undefined, 1 as never)).pets).to.deep.equal([])
  })
})

describe('a body far larger than the limit', () => {
  const service = sharedService()

  it('gets 413 if the client sends the whole body before it reads the response', async () => {
    const headers = { 'X-API-Key': await service.apiKey(), 'Content-Type': 'application/json' }
    const body = randomBytes(5 * 1024 * 1024)
    const packed = gzipSync(body, { level: 0 })
    for (const call of [
      { headers, body },
      { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: packed },
    ])
      expect((await service.client.call('POST', '/v1/pets', call)).status).to.equal(413)
  })
})

const GET = requestText('GET / HTTP/1.1', { Host: 'x' })
const BEGINNINGS = {
  'a head': GET.slice(0, 10),
  'a body': requestText('POST / HTTP/1.1', { Host: 'x', 'Content-Length': '4' }, 'ab'),
}

describe('a connection after a response', () => {
  const bind = serversOfTests()
  /** Sends these bytes after a first response; returns the statuses of all replies once the server has closed the connection. */
  const statusesAfter = async (bytes: string, limits: Partial<ServerLimits>) => {
    const server = await bind((request, response) => {
      request.on('error', () => undefined)
      request.resume().once('end', () => finish(response))
    }, limits)
    const wire = await server.open()
    wire.send(GET)
    await wire.repliesAfter(1)
    wire.send(bytes)
    return (await wire.closed()).map(({ status }) => status)
  }

  for (const [what, bytes] of Object.entries(BEGINNINGS))
    for (const keepAliveTimeout of [100, 3_600_000])
      it(`gets 408 after REQUEST_TIMEOUT for a part of ${what}, with KEEP_ALIVE_TIMEOUT=${keepAliveTimeout}`, async () => {
        expect(await statusesAfter(bytes, { requestTimeout: TIMEOUT, keepAliveTimeout })).to.deep.equal([
          200, 408,
        ])
      })

  it('is closed after KEEP_ALIVE_TIMEOUT even if the client has sent empty lines', async () => {
    const limits = { requestTimeout: 100, keepAliveTimeout: 400 }
    expect(await statusesAfter('\r\n\r\n', limits)).to.deep.equal([200])
  })

  it('is closed even if the client keeps sending empty lines', async () => {
    const limits = { requestTimeout: 500, keepAliveTimeout: 100 }
    const server = await bind((_request, response) => finish(response), limits)
    const wire = await server.open()
    wire.send(GET)
    await wire.repliesAfter(1)
    const lines = setInterval(() => wire.send('\r\n'), 50)
    expect(await wire.closed().finally(() => clearInterval(lines))).to.have.length(1)
  })
})

const REQUEST_TIMEOUT = 2_000

describe('the server of the service', () => {
  let kennel: Kennel
  let apiKey: string
  const collected = collectingLog()
  const bind = serversOfTests()
  before(async () => {
    kennel = await openMemoryKennel()
    ;({ key: apiKey } = await kennel.createApiKey({ caller: OPERATOR, name: 'one', roles: [] }))
  })
  after(() => kennel.close())

  const parts = () => ({
    ...{ useCases: kennel, settings: kennel.httpSettings, readiness: () => kennel.ready() },
    log: collected.log,
  })
  const hosts: Readonly<Record<string, () => RequestListener>> = {
    Koa: () => {
      const answer = createHttpService(parts()).callback()
      return (request, response) => void answer(request, response)
    },
    'a web handler': () => webListener({ ...parts(), bodyTimeout: 30_000 }),
  }
  for (const [host, listenerOf] of Object.entries(hosts))
    it(`sends the expected responses to half-closed, slow, broken and pipelining clients, over ${host}`, async () => {
      const server = await bind(listenerOf(), { requestTimeout: REQUEST_TIMEOUT })
      const table = connectionTable({ apiKey, email: EMAIL, password: PASSWORD })
      const outcomes = await outcomesOf(`http://127.0.0.1:${server.port}`, table)
      expect(outcomes).to.deep.equal(expectedOf(table))
      expect(collected.lines.filter(({ level }) => level === 'error')).to.deep.equal([])
      expect(await server.drain(REQUEST_TIMEOUT), 'no connection is left').to.equal(true)
    })
})
