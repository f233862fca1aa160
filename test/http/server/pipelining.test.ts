import type { RequestListener, ServerResponse } from 'node:http'
import { expect } from 'chai'
import { countingInto } from './observed.js'
import type { ServerLimits } from '../../../src/adapters/koa/server/server.js'
import type { ConnectionEnding } from '../../../src/ports/metrics.js'
import { collectingLog } from '../../support/log-collector.js'
import { finish, heldReplies, requestText, serversOfTests } from '../../support/http/wire.js'

/** Large enough to fill the socket buffers of a client that does not read. */
const LARGE = Buffer.alloc(1024 * 1024, 0x20)
const OWED_MAX = 16

function get(path: string): string {
  return requestText(`GET ${path} HTTP/1.1`, { Host: 'x' })
}

/** Forwards every request and records the highest number of pending replies. */
function counting(handler: RequestListener) {
  const counts = { begun: 0, owed: 0, most: 0 }
  const counted: RequestListener = (request, response) => {
    counts.begun += 1
    counts.owed += 1
    counts.most = Math.max(counts.most, counts.owed)
    // This listener must update the count before the server's own listener begins the next request.
    response.prependOnceListener('close', () => (counts.owed -= 1))
    handler(request, response)
  }
  return { counts, handler: counted }
}

describe('a client that pipelines requests', () => {
  const bound = serversOfTests()
  let closed: ConnectionEnding[]
  let onClosed: () => void
  let collected: ReturnType<typeof collectingLog>
  beforeEach(() => {
    closed = []
    onClosed = () => undefined
    collected = collectingLog()
  })
  const bind = async (handler: RequestListener, limits: Partial<ServerLimits> = {}) => {
    const connectionClosed = (ending: ConnectionEnding) => {
      closed.push(ending)
      onClosed()
    }
    const observers = { log: collected.log, metrics: { ...countingInto([]), connectionClosed } }
    const server = await bound(handler, { ...limits, observers })
    return { server, open: server.open }
  }
  const closedAs = async (ending: ConnectionEnding, times = 1) => {
    while (closed.filter((one) => one === ending).length < times)
      await new Promise<void>((resolve) => (onClosed = resolve))
  }

  it('gets the responses to 300 requests in order, with at most 16 pending', async () => {
    const { counts, handler } = counting((request, response) => {
      setImmediate(() => {
        finish(response, JSON.stringify(request.url))
      })
    })
    const { open } = await bind(handler)
    const wire = await open()
    const paths = Array.from({ length: 300 }, (_, index) => `/${index}`)
    wire.send(paths.map(get).join(''))
    expect((await wire.repliesAfter(300)).map(({ json }) => json)).to.deep.equal(paths)
    expect(counts).to.deep.equal({ begun: 300, owed: 0, most: OWED_MAX })
  })

  it('has at most 16 pending responses and is disconnected after REQUEST_TIMEOUT if it never reads', async () => {
    const { counts, handler } = counting((_request, response) => {
      finish(response, LARGE)
    })
    const { server, open } = await bind(handler, { requestTimeout: 300 })
    const wire = await open()
    wire.socket.pause()
    wire.send(get('/').repeat(2000))
    await closedAs('stalled')
    expect(counts.most).to.be.at.most(OWED_MAX)
    expect(counts.begun).to.be.lessThan(200)
    expect(await server.drain(30_000), 'nothing is left of it').to.equal(true)
    const [line] = collected.lines
    expect(line?.level).to.equal('warn')
    expect(line?.fields.detail).to.equal(
      'the client did not read any of its responses within REQUEST_TIMEOUT',
    )
  })

  for (const [what, begin, more] of [
    ['empty lines', '\r\n', '\r\n'],
    ['the body of a further request', 'POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n', 'x'],
  ] as const)
    it(`is disconnected if it never reads, even while it slowly sends ${what}`, async () => {
      const { open } = await bind(
        ({ method }, response) => {
          if (method === 'GET') finish(response, Buffer.concat(Array.from({ length: 16 }, () => LARGE)))
        },
        { requestTimeout: 300 },
      )
      const wire = await open()
      wire.socket.pause()
      wire.send(get('/') + begin)
      const sending = setInterval(() => wire.send(more), 50)
      try {
        await closedAs('stalled')
      } finally {
        clearInterval(sending)
      }
    })

  it('gets the earlier responses before the error if a malformed request follows; nothing more is read', async () => {
    const { held, handler, has } = heldReplies()
    const { open } = await bind(handler)
    const wire = await open()
    wire.send(get('/'))
    await has(1)
    const [response] = held
    const listeners = response?.listenerCount('close') ?? 0
    const other = await open()
    for (let times = 1; times <= 12; times += 1) {
      wire.send('no request\r\n\r\n')
      // The server reads this request after the earlier data on the other connection.
      other.send(get('/'))
      await has(times + 1)
    }
    expect(response?.listenerCount('close')).to.be.at.most(listeners + 1)
    if (response) finish(response, '{}')
    expect((await wire.closed()).map(({ status }) => status)).to.deep.equal([200, 400])
  })

  it('is not disconnected while it waits for a slow response', async () => {
    const held: ServerResponse[] = []
    const { open } = await bind(
      ({ url }, response) => {
        if (url === '/slow') held.push(response)
        else finish(response, LARGE)
      },
      { requestTimeout: 300 },
    )
    const wire = await open()
    wire.send(get('/slow').repeat(20))
    const deaf = await open()
    deaf.socket.pause()
    deaf.send(get('/').repeat(100))
    // The first client has stalled even longer than this client, which the server now disconnects.
    await closedAs('stalled')
    for (let answered = 0; answered < 20;) {
      for (const response of held.splice(0)) {
        finish(response, '{}')
        answered += 1
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await wire.repliesAfter(20)).to.have.length(20)
    expect(closed).to.deep.equal(['stalled'])
  })

  it('is disconnected if it sends thousands of requests, and other clients are still served', async () => {
    const { open } = await bind(({ url }, response) => {
      if (url === '/live') finish(response, '{}')
    })
    const greedy = await Promise.all(Array.from({ length: 30 }, open))
    for (const one of greedy) one.send('GET / HTTP/1.1\r\n\r\n'.repeat(4000))
    await closedAs('flooding')
    const wire = await open()
    wire.send(get('/live').repeat(10))
    expect(await wire.repliesAfter(10)).to.have.length(10)
  })
})
