import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { expect } from 'chai'
import { bindServer } from '../../../src/adapters/koa/index.js'
import { collectGarbage } from '../../support/garbage.js'
import {
  openWire,
  requestText,
  serversOfTests,
  type Wire,
  type WiredServer,
} from '../../support/http/wire.js'

const GET = requestText('GET / HTTP/1.1', { Host: 'x' })
const GRACE = 10_000

/** Holds every reply until the test releases them. */
function createSlowHandler() {
  const waiting: ServerResponse[] = []
  let arrived: () => void = () => undefined
  const handler: RequestListener = (_request, response) => {
    waiting.push(response)
    arrived()
  }
  return {
    handler,
    has: async (count: number) => {
      while (waiting.length < count) await new Promise<void>((resolve) => (arrived = resolve))
    },
    answer: () => {
      for (const response of waiting.splice(0)) finish(response)
    },
  }
}

function finish(response: ServerResponse): void {
  response.setHeader('Content-Length', 2)
  response.end('{}')
}

describe('draining a server', () => {
  const bind = serversOfTests()
  let server: WiredServer
  let open: () => Promise<Wire>
  beforeEach(async () => {
    // Reads bodies, so that a reply comes after the whole request.
    server = await bind((request, response) => {
      request.resume().once('end', () => {
        finish(response)
      })
    })
    ;({ open } = server)
  })

  it('finishes immediately if there are no connections', async () => {
    expect(await server.drain(GRACE)).to.equal(true)
  })

  it('closes idle connections', async () => {
    const wire = await open()
    wire.send(GET)
    await wire.repliesAfter(1)
    expect(await server.drain(GRACE)).to.equal(true)
    expect(await wire.closed()).to.have.length(1)
  })

  it('closes connections that never sent anything', async () => {
    const wire = await open()
    expect(await server.drain(GRACE)).to.equal(true)
    expect(await wire.closed()).to.deep.equal([])
  })

  it('accepts no new connections', async () => {
    const slow = createSlowHandler()
    server.serve(slow.handler)
    const wire = await open()
    wire.send(GET)
    await slow.has(1)
    const drained = server.drain(GRACE)
    await new Promise((resolve) => setImmediate(resolve))
    const late = await open().then(
      (connected) => connected.closed(),
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    )
    expect(late).to.equal('ECONNREFUSED')
    slow.answer()
    expect(await drained).to.equal(true)
  })

  it('waits for a slow response and then closes the connection', async () => {
    const slow = createSlowHandler()
    server.serve(slow.handler)
    const wire = await open()
    wire.send(GET)
    await slow.has(1)
    const drained = server.drain(GRACE)
    await new Promise((resolve) => setImmediate(resolve))
    slow.answer()
    expect(await drained).to.equal(true)
    const [reply] = await wire.closed()
    expect(reply?.status).to.equal(200)
    expect(reply?.headers.get('Connection')).to.equal('close')
  })

  const POST = requestText('POST / HTTP/1.1', { Host: 'x', 'Content-Length': '4' }, 'ab')
  const partOfRequest = (bytes: number) =>
    [`a request of which ${bytes} bytes arrived`, '', 0, GET.slice(0, bytes), GET.slice(bytes)] as const
  for (const [what, sent, answered, begun, rest] of [
    ...[1, 10, GET.length - 1].map(partOfRequest),
    ['a second request on a connection', GET, 1, GET.slice(0, 10), GET.slice(10)],
    ['a request that began in the packet of another', GET + GET.slice(0, 10), 1, '', GET.slice(10)],
    ['a body', '', 0, POST, 'cd'],
  ] as const)
    it(`waits for the rest of ${what}`, async () => {
      const wire = await open()
      wire.send(sent)
      await wire.repliesAfter(answered)
      wire.send(begun)
      const drained = server.drain(GRACE)
      await new Promise((resolve) => setTimeout(resolve, 20))
      wire.send(rest)
      const reply = (await wire.closed())[answered]
      expect([reply?.status, reply?.headers.get('Connection')]).to.deep.equal([200, 'close'])
      expect(await drained).to.equal(true)
    })

  it('sends all pipelined responses', async () => {
    const slow = createSlowHandler()
    server.serve(slow.handler)
    const wire = await open()
    wire.send(GET + GET + GET)
    await slow.has(3)
    const drained = server.drain(GRACE)
    slow.answer()
    expect(await wire.closed()).to.have.length(3)
    expect(await drained).to.equal(true)
  })

  it('sends a large response completely to a slow reader', async () => {
    const size = 20 * 1024 * 1024
    server.serve((_request, response) => {
      response.setHeader('Content-Length', size)
      response.end(Buffer.alloc(size, 0x20))
    })
    const wire = await open()
    let seen = 0
    wire.socket.on('data', (text: string) => {
      seen += text.length
    })
    const closed = once(wire.socket, 'close')
    wire.send(GET)
    await once(wire.socket, 'data')
    wire.socket.pause()
    const idle = await open()
    const drained = server.drain(GRACE)
    await idle.closed()
    expect(seen).to.be.lessThan(size)
    wire.socket.resume()
    expect(await drained).to.equal(true)
    await closed
    expect(seen).to.be.greaterThan(size)
  })

  it('aborts responses that take longer than the timeout, and returns false', async () => {
    const slow = createSlowHandler()
    server.serve(slow.handler)
    const wire = await open()
    const half = await open()
    wire.send(GET)
    half.send('GET / HT')
    await slow.has(1)
    expect(await server.drain(50)).to.equal(false)
    expect(await wire.closed()).to.deep.equal([])
    expect(await half.closed()).to.deep.equal([])
  })

  it('does not keep the server or its handler in memory', async () => {
    const served = await drained()
    await collectGarbage()
    expect(served.deref()).to.equal(undefined)
  })
})

describe('a server without a handler', () => {
  it('responds with 503 and Retry-After', async () => {
    const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
    const wire = await openWire(`http://127.0.0.1:${server.port}`)
    wire.send(requestText('GET / HTTP/1.0'))
    await once(wire.socket, 'close')
    const text = wire.replies()[0]
    expect(text?.status).to.equal(503)
    expect(text?.json).to.deep.equal({ code: 503, message: 'The service is starting.' })
    expect(text?.headers.get('Retry-After')).to.equal('2')
    const halfClosed = await openWire(`http://127.0.0.1:${server.port}`)
    halfClosed.send(GET + GET)
    halfClosed.socket.end()
    expect((await halfClosed.closed()).map(({ status }) => status)).to.deep.equal([503, 503])
    expect(await server.drain(1000)).to.equal(true)
  })

  const ENVELOPES = ['/api/auth/login', '/api/auth/get-identity?x=/v1', 'http://pets.example/api/auth/logout']
  for (const path of [...ENVELOPES, '/api/project/create', '/v1/pets?x=/api/', '/api', '*'])
    it(`responds to ${path} in the format of the path`, async () => {
      const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
      const wire = await openWire(`http://127.0.0.1:${server.port}`)
      wire.send(requestText(`POST ${path} HTTP/1.0`))
      await once(wire.socket, 'close')
      const members = Object.keys(wire.replies()[0]?.json as object)
      const isBelowApi = path.includes('/api/') && !path.startsWith('/v1')
      expect(members).to.deep.equal(isBelowApi ? ['code', 'response', 'view'] : ['code', 'message'])
      await server.drain(1000)
    })

  it('cannot be bound to a port that is already in use', async () => {
    const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
    const second = await bindServer('127.0.0.1', server.port, { requestTimeout: 30_000 }).then(
      () => 'bound',
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    )
    expect(second).to.equal('EADDRINUSE')
    await server.drain(0)
  })
})

/** The handler of a drained server, in a separate function so that no variable of the test holds it. */
async function drained(): Promise<WeakRef<RequestListener>> {
  const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
  const listener: RequestListener = (_request, response) => {
    finish(response)
  }
  server.serve(listener)
  const wire = await openWire(`http://127.0.0.1:${server.port}`)
  wire.send(GET)
  await wire.repliesAfter(1)
  wire.destroy()
  await server.drain(GRACE)
  return new WeakRef(listener)
}
