import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { bindMetricsServer, type BoundMetricsServer } from '../../../src/adapters/prometheus/index.js'

const TEXT = 'kennel_cats 9\n'
const EXPOSITION = async () => ({ contentType: 'text/plain; version=0.0.4', text: TEXT })

/** Sends the bytes on a new connection; returns the reply once the server has closed the connection. */
async function exchange({ port }: BoundMetricsServer, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(bytes)
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  await once(socket, 'close')
  return text
}

describe('the metrics server', () => {
  let server: BoundMetricsServer
  let origin: string
  beforeEach(async () => {
    server = await bindMetricsServer('127.0.0.1', 0, EXPOSITION)
    origin = `http://127.0.0.1:${server.port}`
  })
  afterEach(() => server.close())

  it('responds to GET /metrics with headers that prevent caching and content type sniffing', async () => {
    const reply = await fetch(`${origin}/metrics`)
    expect([reply.status, await reply.text()]).to.deep.equal([200, TEXT])
    const { headers } = reply
    expect(headers.get('content-type')).to.equal('text/plain; version=0.0.4')
    expect(headers.get('content-length')).to.equal(String(TEXT.length))
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect(headers.get('cache-control')).to.equal('no-store')
  })

  it('responds to HEAD as it does to GET, but without a body, and accepts query parameters', async () => {
    const reply = await fetch(`${origin}/metrics?job=kennel`, { method: 'HEAD' })
    expect([reply.status, await reply.text()]).to.deep.equal([200, ''])
    expect(reply.headers.get('content-length')).to.equal(String(TEXT.length))
  })

  for (const [method, path, status] of [
    ['GET', '/metrics/', 404],
    ['GET', '/health/live', 404],
    ['GET', '/%6Detrics', 404],
    ['POST', '/metrics', 405],
  ] as const)
    it(`responds to ${method} ${path} with ${status}`, async () => {
      const reply = await fetch(`${origin}${path}`, { method })
      expect(reply.status).to.equal(status)
      expect(reply.headers.get('allow')).to.equal(status === 405 ? 'GET, HEAD' : null)
      expect(reply.headers.get('x-content-type-options')).to.equal('nosniff')
    })

  it('replies without reading the request body, and closes the connection', async () => {
    const head = 'POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n'
    expect(await exchange(server, head)).to.match(/^HTTP\/1\.1 405 [^]*\r\nConnection: close\r\n/)
  })

  it('accepts one request per connection', async () => {
    const one = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'
    expect((await exchange(server, one + one)).match(/HTTP\/1\.1 /g)).to.have.length(1)
  })

  it('rejects invalid HTTP and a request head that is too long', async () => {
    expect(await exchange(server, 'metrics please\r\n\r\n')).to.match(/^HTTP\/1\.1 400 /)
    const long = `GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(9_000)}\r\n\r\n`
    expect(await exchange(server, long)).to.match(/^HTTP\/1\.1 431 /)
  })

  it('hides internal errors', async () => {
    const failing = await bindMetricsServer('127.0.0.1', 0, () => Promise.reject(new Error('cAnArY')))
    const reply = await fetch(`http://127.0.0.1:${failing.port}/metrics`)
    const seen = [reply.status, await reply.text()]
    await failing.close()
    expect(seen).to.deep.equal([500, ''])
  })

  it('closes immediately, including all idle and incomplete connections, even if it is closed twice', async () => {
    const silent = connect(server.port, '127.0.0.1')
    const halfway = connect(server.port, '127.0.0.1')
    for (const socket of [silent, halfway]) {
      socket.on('error', () => undefined)
      await once(socket, 'connect')
    }
    halfway.write('GET /metrics HTTP/1.1\r\n')
    // This reply on another connection shows that the server has accepted the other two.
    await fetch(`${origin}/metrics`)
    const ends = Promise.all([once(silent, 'close'), once(halfway, 'close')])
    await Promise.all([server.close(), server.close()])
    await ends
    const refused = await fetch(`${origin}/metrics`).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(Error)
  })
})

/** Returns the first line of the reply to a request with this host. */
async function statusFor(server: BoundMetricsServer, host: string | undefined): Promise<string> {
  const line = host === undefined ? '' : `Host: ${host}\r\n`
  const text = await exchange(server, `GET /metrics HTTP/1.1\r\n${line}\r\n`)
  expect(text.includes(TEXT)).to.equal(text.includes(' 200 '))
  return text.slice(0, text.indexOf('\r\n'))
}

const LOOPBACK = ['LOCALHOST:9464', '127.0.0.1', '127.8.9.1', '[::1]:9464', undefined]
const FOREIGN = [
  ...['evil.example:9464', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.localhost', '128.0.0.1'],
  ...['[::2]', '0.0.0.0', 'localhost@evil.example', 'evil.example#localhost', 'a b', '[::1', ''],
]

describe('the host in a request to the metrics server', () => {
  for (const [address, status, what, hosts] of [
    ['localhost', '200 OK', 'a loopback host or no host', LOOPBACK],
    // A defense against DNS rebinding.
    ['localhost', '421 Misdirected Request', 'any other host', FOREIGN],
    ['0.0.0.0', '200 OK', 'any host', ['evil.example', 'metrics.internal:9464', 'localhost', undefined]],
  ] as const)
    it(`results in ${status} if the server listens on ${address}, for ${what}`, async () => {
      const server = await bindMetricsServer(address, 0, EXPOSITION)
      for (const host of hosts) expect(await statusFor(server, host), host).to.equal(`HTTP/1.1 ${status}`)
      await server.close()
    })
})
