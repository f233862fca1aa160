import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { expect } from 'chai'
import { bindServer, type BoundServer } from '../../../src/adapters/koa/index.js'
import { collectGarbage } from '../../support/garbage.js'
import { openWire, requestText, type Wire } from '../../support/http/wire.js'

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
  let server: BoundServer
  let wires: Wire[]
  beforeEach(async () => {
    wires = []
    server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
    server.serve((_request, response) => {
      finish(response)
    })
  })
  afterEach(async () => {
    for (const wire of wires) wire.destroy()
    await server.drain(0)
  })

  const open = async () => {
    const wire = await openWire(`http://127.0.0.1:${server.port}`)
    wires.push(wire)
    return wire
  }

  it('takes no time without connections', async () => {
    expect(await server.drain(GRACE)).to.equal(true)
  })

  it('closes connections that have had their reply', async () => {
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

  it('waits for a slow reply, which closes its connection', async () => {
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

  it('waits for the rest of a request that has begun to arrive', async () => {
    for (const half of [1, 10, GET.length - 1]) {
      const own = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
      own.serve((_request, response) => {
        finish(response)
      })
      const wire = await openWire(`http://127.0.0.1:${own.port}`)
      wires.push(wire)
      wire.send(GET.slice(0, half))
      const drained = own.drain(GRACE)
      await new Promise((resolve) => setTimeout(resolve, 20))
      wire.send(GET.slice(half))
      const [reply] = await wire.closed()
      expect(reply?.status).to.equal(200)
      expect(reply?.headers.get('Connection')).to.equal('close')
      expect(await drained).to.equal(true)
    }
  })

  it('waits for the rest of a second request on a connection', async () => {
    const wire = await open()
    wire.send(GET)
    await wire.repliesAfter(1)
    wire.send(GET.slice(0, 10))
    const drained = server.drain(GRACE)
    await new Promise((resolve) => setTimeout(resolve, 20))
    wire.send(GET.slice(10))
    const [, second] = await wire.closed()
    expect(second?.status).to.equal(200)
    expect(second?.headers.get('Connection')).to.equal('close')
    expect(await drained).to.equal(true)
  })

  it('waits for the rest of a request that began in the packet of an earlier request', async () => {
    const wire = await open()
    wire.send(GET + GET.slice(0, 10))
    await wire.repliesAfter(1)
    const drained = server.drain(GRACE)
    await new Promise((resolve) => setTimeout(resolve, 20))
    wire.send(GET.slice(10))
    const [, second] = await wire.closed()
    expect(second?.status).to.equal(200)
    expect(second?.headers.get('Connection')).to.equal('close')
    expect(await drained).to.equal(true)
  })

  it('waits for a body that is still to come', async () => {
    server.serve((request, response) => {
      request.resume().once('end', () => {
        finish(response)
      })
    })
    const wire = await open()
    wire.send(requestText('POST / HTTP/1.1', { Host: 'x', 'Content-Length': '4' }, 'ab'))
    const drained = server.drain(GRACE)
    await new Promise((resolve) => setTimeout(resolve, 20))
    wire.send('cd')
    expect((await wire.closed())[0]?.headers.get('Connection')).to.equal('close')
    expect(await drained).to.equal(true)
  })

  it('sends all pipelined replies', async () => {
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

  it('sends a large reply completely to a slow reader', async () => {
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

  it('cuts off replies that take longer than its timeout, and returns false', async () => {
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

  it('keeps neither the server nor its handler in memory', async () => {
    const served = await drained()
    await collectGarbage()
    expect(served.deref()).to.equal(undefined)
  })
})

describe('a server without a handler yet', () => {
  it('answers 503 with Retry-After', async () => {
    const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000 })
    const wire = await openWire(`http://127.0.0.1:${server.port}`)
    wire.send(requestText('GET / HTTP/1.0'))
    await once(wire.socket, 'close')
    const text = wire.replies()[0]
    expect(text?.status).to.equal(503)
    expect(text?.json).to.deep.equal({ code: 503, message: 'The service is starting.' })
    expect(text?.headers.get('Retry-After')).to.equal('2')
    expect(await server.drain(1000)).to.equal(true)
  })

  it('cannot be bound to a port in use', async () => {
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
