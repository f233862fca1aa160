import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { NO_REQUESTS } from '../../support/http/malformed-bytes.js'
import { startService } from '../../support/http/service.js'
import { collectingLog } from '../../support/log-collector.js'
import { requestText, wiresOfTests, type WireReply } from '../../support/http/wire.js'
import { sharedService } from '../../support/http/services.js'

const TIMEOUT = 300

const TOO_LATE = { code: 408, message: 'The request took too long to arrive.' }
const TOO_LARGE = { code: 431, message: 'The request headers are too large.' }
const NO_HTTP = { code: 400, message: 'The request is not valid HTTP.' }

/** Two ways to begin a body whose end is missing. */
const WITH_LENGTH = { headers: { 'Content-Length': '100' } as Record<string, string>, start: '{"name":' }
const IN_CHUNKS = { headers: { 'Transfer-Encoding': 'chunked' }, start: '8\r\n{"name":\r\n' }

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

  it('gets 431 with a header of 2 MB, every time', async () => {
    const text = requestText('GET /v1/pets HTTP/1.1', { Host: 'x', 'X-API-Key': 'a'.repeat(2 * 1024 * 1024) })
    for (let round = 0; round < 3; round += 1) {
      const wire = await open()
      wire.send(text)
      expectBroken((await wire.repliesAfter(1))[0], TOO_LARGE)
      wire.destroy()
    }
    const reply = await service.client.call('GET', '/v1/pets', {
      headers: { Authorization: 'a'.repeat(2_000_000) },
    })
    expect(reply.json).to.deep.equal(TOO_LARGE)
    await expectAlive()
  })

  it('gets 431 with a URL of 20 kB, and with 20 kB of short headers', async () => {
    expectBroken(
      (await sendAll(requestText(`GET /${'a'.repeat(20_000)} HTTP/1.1`, { Host: 'x' })))[0],
      TOO_LARGE,
    )
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`X-${at}`, 'a']))
    expectBroken((await sendAll(requestText('GET / HTTP/1.1', many)))[0], TOO_LARGE)
  })

  for (const [what, bytes] of Object.entries(NO_REQUESTS)) {
    it(`gets 400 for ${what}`, async () => {
      const replies = await sendAll(bytes)
      expect(replies).to.have.length(1)
      expectBroken(replies[0], NO_HTTP)
      await expectAlive()
    })
  }

  it('gets 408 if its header section arrives too slowly or not at all', async () => {
    for (const bytes of ['', 'GET', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n']) {
      const replies = await sendAll(bytes)
      expect(replies).to.have.length(1)
      expectBroken(replies[0], TOO_LATE)
    }
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

  const slowBody = async (path: string, headers: Record<string, string>, framing = WITH_LENGTH) => {
    const wire = await open()
    const all = { Host: 'x', 'Content-Type': 'application/json', ...framing.headers, ...headers }
    wire.send(requestText(`POST ${path} HTTP/1.1`, all, framing.start))
    return await wire.closed()
  }

  it('gets 408 if its body is slow, with the usual response headers for this request', async () => {
    const headers = {
      'X-API-Key': await service.apiKey(),
      'X-Request-Id': '0123456789-0123456789-0123456789-abc',
    }
    for (const framing of [WITH_LENGTH, IN_CHUNKS]) {
      const replies = await slowBody('/v1/pets', headers, framing)
      expect(replies).to.have.length(1)
      expect(replies[0]?.headers.get('X-Request-Id')).to.equal(headers['X-Request-Id'])
      expect(replies[0]?.json).to.deep.equal(TOO_LATE)
      expect(replies[0]?.headers.get('Connection')).to.equal('close')
    }
    expect((await service.store.pets.page(undefined, 1 as never)).pets).to.deep.equal([])
  })

  it('gets 400 if a chunk is malformed', async () => {
    const headers = {
      Host: 'x',
      'X-API-Key': await service.apiKey(),
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
    }
    const replies = await sendAll(requestText('POST /v1/pets HTTP/1.1', headers, '5\r\n{"nam\r\nxyz\r\n'))
    expect(replies.map(({ json }) => json)).to.deep.equal([NO_HTTP])
  })

  it('does not prevent responses to earlier requests', async () => {
    const headers = { Host: 'x', 'X-API-Key': await service.apiKey() }
    const good = requestText('GET /v1/pets HTTP/1.1', headers)
    const replies = await sendAll(`${good}${good}garbage\r\n\r\n`)
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 400])
  })

  it('gets no response and no log line if the client has disconnected', async () => {
    const headers = { Host: 'x', 'X-API-Key': await service.apiKey(), 'Content-Type': 'application/json' }
    const texts = [
      requestText('POST /v1/pets HTTP/1.1', { ...headers, 'Content-Length': '100' }, '{"name":'),
      requestText('POST /v1/pets HTTP/1.1', { ...headers, 'Transfer-Encoding': 'chunked' }, '5\r\n{"nam'),
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
  it('gets 413 if the client sends the whole body before it reads the response', async () => {
    const service = await startService()
    try {
      const headers = { 'X-API-Key': await service.apiKey(), 'Content-Type': 'application/json' }
      const body = randomBytes(5 * 1024 * 1024)
      const packed = gzipSync(body, { level: 0 })
      for (const call of [
        { headers, body },
        { headers: { ...headers, 'Transfer-Encoding': 'chunked' }, body },
        { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: packed },
      ]) {
        for (let round = 0; round < 2; round += 1) {
          expect((await service.client.call('POST', '/v1/pets', call)).status).to.equal(413)
        }
      }
    } finally {
      await service.close()
    }
  })
})
