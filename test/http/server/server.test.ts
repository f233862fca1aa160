import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { bindServer } from '../../../src/adapters/koa/index.js'
import { collectGarbage } from '../../support/garbage.js'
import {
  finish,
  heldReplies,
  openWire,
  requestText,
  serversOfTests,
  type Wire,
  type WiredServer,
} from '../../support/http/wire.js'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { countingInto } from './observed.js'
import type { ConnectionEnding } from '../../../src/ports/metrics.js'
import { collectingLog } from '../../support/log-collector.js'

const GET = requestText('GET / HTTP/1.1', { Host: 'x' })
const GRACE = 10_000

describe('draining a server', () => {
  const bind = serversOfTests()
  let server: WiredServer
  let open: () => Promise<Wire>
  beforeEach(async () => {
    // Reads the body first, so that the reply follows the whole request.
    const handler: RequestListener = (request, response) => {
      request.resume().once('end', () => finish(response))
    }
    server = await bind(handler, { keepAliveTimeout: 3_600_000 })
    ;({ open } = server)
  })

  it('closes connections without a pending request', async () => {
    const [idle, silent] = [await open(), await open()]
    idle.send(GET)
    await idle.repliesAfter(1)
    expect(await server.drain(GRACE)).to.equal(true)
    expect([await idle.closed(), await silent.closed()].map(({ length }) => length)).to.deep.equal([1, 0])
  })

  it('accepts no new connections, waits for slow responses, and then closes their connections', async () => {
    const { held, handler, has } = heldReplies()
    server.serve(handler)
    const wire = await open()
    wire.send(GET + GET + GET)
    await has(3)
    const drained = server.drain(GRACE)
    await new Promise((resolve) => setImmediate(resolve))
    const late = await open().catch((error: unknown) => (error as NodeJS.ErrnoException).code)
    expect(late).to.equal('ECONNREFUSED')
    for (const response of held) finish(response)
    const replies = await wire.closed()
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200])
    expect(replies[2]?.headers.get('Connection')).to.equal('close')
    expect(await drained).to.equal(true)
  })

  const POST = requestText('POST / HTTP/1.1', { Host: 'x', 'Content-Length': '4' }, 'ab')
  const partOfRequest = (bytes: number) =>
    [`a request of which ${bytes} bytes arrived`, '', 0, GET.slice(0, bytes), GET.slice(bytes)] as const
  for (const [what, sent, answered, begun, rest] of [
    ...[1, 10, GET.length - 1].map(partOfRequest),
    ['a second request on a connection', GET, 1, GET.slice(0, 10), GET.slice(10)],
    [
      'a request that began in the packet of an earlier request',
      GET + GET.slice(0, 10),
      1,
      '',
      GET.slice(10),
    ],
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
    const { handler, has } = heldReplies()
    server.serve(handler)
    const [wire, half] = [await open(), await open()]
    wire.send(GET)
    half.send('GET / HT')
    await has(1)
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
  const bind = serversOfTests()

  it('responds with 503 and Retry-After', async () => {
    const { open } = await bind()
    const wire = await open()
    wire.send(GET + GET)
    wire.socket.end()
    const replies = await wire.closed()
    const message = { code: 503, message: 'The service is starting.' }
    expect(replies.map(({ status, json }) => [status, json])).to.deep.equal(Array(2).fill([503, message]))
    expect(replies[0]?.headers.get('Retry-After')).to.equal('2')
  })

  it('responds in the format of the path', async () => {
    const { open } = await bind()
    const membersAt = async (path: string) => {
      const wire = await open()
      wire.send(requestText(`POST ${path} HTTP/1.0`))
      return Object.keys((await wire.closed())[0]?.json as object)
    }
    for (const path of [
      '/api/auth/get-identity?x=/v1',
      'http://pets.example/api/auth/logout',
      '/api/project/create',
    ])
      expect(await membersAt(path), path).to.deep.equal(['code', 'response', 'view'])
    for (const path of ['/v1/pets?x=/api/', '/api', '*'])
      expect(await membersAt(path), path).to.deep.equal(['code', 'message'])
  })

  it('cannot be bound to a port that is already in use', async () => {
    const { port } = await bind()
    const second = await bindServer('127.0.0.1', port, { requestTimeout: 30_000 }).catch(
      (error: unknown) => error,
    )
    expect(second).to.have.property('code', 'EADDRINUSE')
  })
})

/**
 * Returns the handler of a drained server, in a separate function so that no variable in the test holds the handler.
 */
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

describe('a server with a connection limit', () => {
  const bind = serversOfTests()
  let open: () => Promise<Wire>
  let closed: ConnectionEnding[]
  const { log, lines } = collectingLog()
  beforeEach(async () => {
    closed = []
    lines.length = 0
    const connectionClosed = (ending: ConnectionEnding) => closed.push(ending)
    const observers = { log, metrics: { ...countingInto([]), connectionClosed } }
    ;({ open } = await bind((_request, response) => finish(response), { maxConnections: 2, observers }))
  })

  it('closes connections above the limit immediately, and logs only one line', async () => {
    const [one, two] = [await open(), await open()]
    for (let times = 0; times < 5; times += 1) expect(await (await open()).closed()).to.deep.equal([])
    for (const wire of [one, two]) {
      wire.send(GET)
      expect(await wire.repliesAfter(1)).to.have.length(1)
    }
    expect(closed).to.deep.equal(Array.from({ length: 5 }, () => 'refused'))
    expect(lines).to.deep.equal([
      {
        level: 'warn',
        event: 'connections closed',
        fields: { detail: 'more than MAX_CONNECTIONS concurrent connections', count: 1 },
      },
    ])
  })

  it('accepts a new connection after another connection has closed', async () => {
    const [one] = [await open(), await open()]
    one.send(requestText('GET / HTTP/1.1', { Host: 'x', Connection: 'close' }))
    await one.closed()
    const next = await open()
    next.send(GET)
    expect(await next.repliesAfter(1)).to.have.length(1)
  })
})

describe('a server without a free file descriptor', () => {
  it('closes the connection that it cannot accept, and recovers when a file descriptor is free again', async () => {
    const main = fileURLToPath(new URL('descriptors-main.js', import.meta.url))
    const child = spawn('sh', ['-c', 'ulimit -n 512 && exec "$0" "$1"', process.execPath, main])
    const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(complaints).to.equal('')
    const served = 'HTTP/1.1 200'
    expect(JSON.parse(printed)).to.deep.equal({ before: served, without: '', after: served })
  })
})
