import { randomBytes } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permission-rules.js'
import { collectingLog } from '../../support/log-collector.js'
import { createPetClient, type PetClient } from '../../support/http/pet-calls.js'
import { permissionsOf } from '../../support/http/settings.js'
import {
  requestText,
  serversOfTests,
  wiresOfTests,
  type WireReply,
  openWire,
} from '../../support/http/wire.js'
import { sharedService } from '../../support/http/service.js'
import { createBrowser, LOGIN, LOGOUT } from '../../support/http/browser.js'

const PERMITTED = { roles: { ...DEFAULT_PERMISSIONS.roles, user: { components: { pets: ['*'] } } } }
const NO_HTTP = { code: 400, message: 'The request is not valid HTTP.' }
const UNREADABLE = { code: 400, message: 'The address of the request cannot be read.' }
const LIVE = 'GET /health/live HTTP/1.1'

describe('an unusual but valid HTTP request', () => {
  const collected = collectingLog()
  const service = sharedService({
    permissions: PERMITTED,
    settings: { grantedTo: permissionsOf(PERMITTED) },
    requestTimeout: 2000,
    log: collected.log,
  })
  let pets: PetClient
  const bind = serversOfTests()
  const openAt = wiresOfTests()
  before(async () => {
    pets = await createPetClient(service)
  })

  const open = () => openAt(service.origin)
  const first = async (...bytes: readonly (string | Uint8Array)[]): Promise<WireReply | undefined> => {
    const wire = await open()
    for (const one of bytes) wire.send(one)
    return (await wire.repliesAfter(1))[0]
  }

  it('gets a normal response if its Expect header is unknown', async () => {
    for (const expected of ['200-ok', '']) {
      const reply = await first(requestText(LIVE, { Host: 'x', Expect: expected }))
      expect(reply?.status, expected).to.equal(200)
      expect(reply?.json, expected).to.deep.equal({ status: 'ok' })
    }
  })

  it('gets 400 for CONNECT only after the earlier response is complete, even if the client reads slowly', async () => {
    const server = await bind((_request, response) => {
      const body = Buffer.from(JSON.stringify({ answer: 'a'.repeat(5_000_000) }))
      response.writeHead(200, { 'Content-Length': body.length })
      setImmediate(() => {
        response.write(body)
        response.once('drain', () => response.end())
      })
    })
    const wire = await server.open()
    wire.send(`${requestText(LIVE, { Host: 'x' })}${requestText('CONNECT x:443 HTTP/1.1', { Host: 'x' })}`)
    const replies = await wire.closed()
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 400])
    expect(replies[0]?.text).to.have.length(5_000_013)
    expect(await server.drain(1000)).to.equal(true)
  })

  it('is the last request on its connection if it requests a protocol upgrade', async () => {
    const wire = await open()
    const upgrade = requestText(LIVE, { Host: 'x', Connection: 'Upgrade', Upgrade: 'h2c' })
    wire.send(`${upgrade}${requestText(LIVE, { Host: 'x' })}`)
    const replies = await wire.closed()
    expect(replies.map(({ status }) => status)).to.deep.equal([200])
    expect(replies[0]?.headers.get('Connection')).to.equal('close')
  })

  for (const target of ['http://[', 'http://x:99999/v1/pets', 'a:'])
    it(`is rejected and logged in one line if its target is ${target}`, async () => {
      const [before, others] = [collected.requests.length, collected.lines.length]
      const reply = await first(requestText(`POST ${target} HTTP/1.1`, { Host: 'x', 'Content-Length': '0' }))
      expect(reply?.status).to.equal(400)
      expect(reply?.json).to.deep.equal(target === 'a:' ? NO_HTTP : UNREADABLE)
      expect(Object.fromEntries(reply?.headers ?? [])).to.include({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-type': 'application/json; charset=utf-8',
      })
      expect((await service.client.call('GET', '/health/live')).status).to.equal(200)
      const lines = collected.requests.slice(before).filter(({ fields }) => fields['route'] === 'unmatched')
      expect(lines.map(({ level, fields }) => [level, fields['status'], fields['requestId']])).to.deep.equal([
        ['info', 400, reply?.headers.get('X-Request-Id')],
      ])
      expect(collected.lines.slice(others)).to.deep.equal([])
    })

  it('gets a normal response if its target is an absolute URL', async () => {
    for (const [target, status] of [
      ['http://x/health/live', 200],
      ['http://x/health/live?a=b', 200],
      ['https://x:8443/v1/pets', 401],
      ['http://x/v1', 404],
      ['//x/v1/pets', 404],
      ['/v1/pets/%zz', 401],
      ['/[', 404],
    ] as const)
      expect(await first(requestText(`GET ${target} HTTP/1.1`, { Host: 'x' })), target).to.include({ status })
  })

  const packs = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
  for (const [coding, pack] of Object.entries(packs)) {
    it(`gets 413 if it is too large and truncated in ${coding}, and does not stop the service`, async () => {
      const whole = pack(Buffer.concat([Buffer.from('{"a":1}'.padEnd(20_000)), randomBytes(100)]))
      const head = { Host: 'x', 'Content-Type': 'application/json', 'Content-Encoding': coding }
      const length = { 'Content-Length': String(whole.length - 10) }
      const request = requestText('POST /api/auth/login HTTP/1.1', { ...head, ...length })
      const reply = await first(request, whole.subarray(0, -10))
      expect(reply?.status).to.equal(413)
      expect((await service.client.call('GET', '/health/live')).status).to.equal(200)
    })
  }

  it('does not delete a pet if the request has a malformed body, although no body is needed', async () => {
    const id = await pets.add()
    const head = { Host: 'x', ...pets.headers, 'Transfer-Encoding': 'chunked' }
    const reply = await first(requestText(`DELETE /v1/pets/${id} HTTP/1.1`, head, 'x\r\n'))
    expect(reply?.status).to.equal(400)
    expect((await pets.read(id)).status).to.equal(200)
  })

  it('deletes a pet without decompressing an unneeded body', async () => {
    for (const body of [gzipSync(Buffer.alloc(20_000_000)), Buffer.from('not packed at all')]) {
      const id = await pets.add()
      const packed = { 'Content-Encoding': 'gzip', 'Content-Length': String(body.length) }
      const head = { Host: 'x', ...pets.headers, ...packed }
      const reply = await first(requestText(`DELETE /v1/pets/${id} HTTP/1.1`, head), body)
      expect(reply?.status).to.equal(204)
    }
  })

  it('gets only its response and no 100 Continue if an earlier response is pending', async () => {
    const server = await bind((_request, response) => {
      const body = Buffer.from('{"answer":1}')
      response.writeHead(200, { 'Content-Length': body.length })
      setImmediate(() => response.end(body))
    })
    const wire = await server.open()
    const expecting = requestText('GET / HTTP/1.1', { Host: 'x', Expect: '100-continue' })
    wire.send(`${requestText(LIVE, { Host: 'x' })}${expecting}`)
    const replies = await wire.repliesAfter(2)
    expect(replies.map(({ json }) => json)).to.deep.equal([{ answer: 1 }, { answer: 1 }])
    wire.destroy()
    expect(await server.drain(1000)).to.equal(true)
  })

  it('gets a response that was sent before the request body turned out to be malformed', async () => {
    const rest = 'a'.repeat(1_000_000)
    const wire = await open()
    const head = { Host: 'x', 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' }
    wire.send(requestText('POST /v1/pets HTTP/1.1', head, '1\r\n{\r\n'))
    expect((await wire.repliesAfter(1))[0]?.status).to.equal(401)
    wire.send(`x\r\n${rest}`)
    expect((await wire.closed())[0]?.status).to.equal(401)
  })

  it('gets its complete response even if the client keeps sending data after the last request', async () => {
    let begun = 0
    const server = await bind((_request, response) => {
      begun += 1
      response.end(JSON.stringify({ answer: 'a'.repeat(5_000_000) }))
    })
    const wire = await server.open()
    wire.send(requestText('GET / HTTP/1.1', { Host: 'x', Connection: 'close' }))
    for (let count = 0; count < 5000; count += 1) wire.send(requestText('GET /more HTTP/1.1', { Host: 'x' }))
    const replies = await wire.closed()
    expect(replies.map(({ text }) => text.length)).to.deep.equal([5_000_013])
    expect(begun).to.equal(1)
    expect(await server.drain(1000)).to.equal(true)
  })

  it('does not affect a handler that writes after the response was sent', async () => {
    let onWritten: () => void = () => undefined
    const written = new Promise<void>((resolve) => (onWritten = resolve))
    const server = await bind((request, response) => {
      request.on('error', () => undefined)
      response.once('finish', () => {
        response.write('more')
        response.end(onWritten)
      })
    })
    const wire = await server.open()
    wire.send(requestText('POST / HTTP/1.1', { Host: 'x', 'Transfer-Encoding': 'chunked' }, 'x\r\n'))
    const replies = await wire.closed()
    expect(replies.map(({ status }) => status)).to.deep.equal([400])
    await written
    expect(await server.drain(0)).to.equal(true)
  })
})

/** More than the 2,000 headers that Node keeps by default. */
const MANY = 'a:\r\n'.repeat(3_000)
const EMAIL = 'ada@example.com'

describe('a request with thousands of headers', () => {
  const collected = collectingLog()
  const service = sharedService({ log: collected.log })
  before(async () => {
    await service.account(EMAIL)
  })

  const repliesTo = async (line: string, headers: Readonly<Record<string, string>>, body: string) => {
    const wire = await openWire(service.origin)
    wire.send(requestText(`${line}\r\nHost: x\r\n${MANY}Connection: close`, headers, body))
    return await wire.closed()
  }

  it('is parsed completely, including the last header', async () => {
    const body = JSON.stringify({ email: EMAIL, password: 'wrong' })
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
    const [reply] = await repliesTo(`POST ${LOGIN} HTTP/1.1`, headers, body)
    expect(reply?.status).to.equal(401)
    expect(reply?.text).to.contain('Login Failed')
  })

  it('does not end the session if the request body is incomplete', async () => {
    const browser = createBrowser(service, EMAIL)
    await browser.login()
    const { cookie = '', accessToken = '' } = browser.held()
    const body = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
    const headers = { Cookie: cookie, 'X-Authorization': `Bearer ${accessToken}`, ...body }
    const replies = await repliesTo(`POST ${LOGOUT} HTTP/1.1`, headers, '2\r\n{}x')
    expect(replies.map(({ status }) => status)).to.deep.equal([400])
    expect((await browser.getIdentity()).status).to.equal(200)
    expect(collected.lines.filter(({ level }) => level === 'error')).to.deep.equal([])
  })
})
