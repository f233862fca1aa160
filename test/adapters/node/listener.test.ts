import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import sinon from 'sinon'
import { createListener, type NodeListener, type WebHandler } from '../../../src/adapters/node/index.js'
import { requestText, wiresOfTests, type Wire } from '../../support/http/wire.js'

const ENOUGH = 'a'.repeat(100_000)

/** A `Wire` finds the end of a reply by its `Content-Length`. */
const json = (value: unknown) => {
  const text = JSON.stringify(value)
  return new Response(text, { headers: { 'Content-Length': String(text.length) } })
}

/** Returns what `work` writes to standard error. */
async function printedBy(work: () => Promise<void>): Promise<readonly string[]> {
  const write = sinon.stub(process.stderr, 'write').returns(true)
  try {
    await work()
    return write.args.map(([text]) => String(text))
  } finally {
    write.restore()
  }
}

describe('a web handler on a Node server', () => {
  let server: Server
  let listener: NodeListener
  let origin: string
  let errors: unknown[]
  const open = wiresOfTests()

  const serve = (handler: WebHandler) => {
    listener = createListener(handler)
  }
  const send = async (...texts: readonly string[]): Promise<Wire> => {
    const wire = await open(origin)
    for (const text of texts) wire.send(text)
    return wire
  }
  const replyTo = async (text: string) => (await (await send(text)).repliesAfter(1))[0]

  before(async () => {
    server = createServer((request, response) => {
      listener(request, response, (error) => {
        errors.push(error)
        response.writeHead(500, { 'Content-Length': 0 }).end()
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    errors = []
  })
  afterEach(() => {
    expect(errors).to.deep.equal([])
  })
  after(() => server.close())

  it('must be a function, so a Kennel instance is rejected before the first request', () => {
    for (const other of [undefined, { httpSettings: {} }])
      expect(() => createListener(other as never)).to.throw(TypeError, 'createHandler')
  })

  it('receives the method, repeated headers, the body and the client address', async () => {
    serve(async ({ method, headers, body }, { address }) => {
      const text = await new Response(body).text()
      return json([method, headers.get('authorization'), headers.get('x-a'), text, address])
    })
    const twice = 'Authorization: one\r\nAuthorization: two\r\nX-A: 1\r\nX-a: 2\r\nHost: x'
    for (const [method, body] of [
      ['POST', '{}'],
      ['DELETE', '{}'],
      ['GET', ''],
      ['TRACE', ''],
      ['PROPFIND', ''],
    ]) {
      const length = body === '' ? '' : '\r\nContent-Length: 2'
      const reply = await replyTo(`${method} / HTTP/1.1\r\n${twice}${length}\r\n\r\n${body}`)
      expect(reply?.json).to.deep.equal([method, 'one, two', '1, 2', body, '127.0.0.1'])
    }
  })

  for (const [target, host, url] of [
    ['/a/b?c=d&e', 'kennel.example:81', 'http://kennel.example:81/a/b?c=d&e'],
    ['//evil.example/a', '[::1]:80', 'http://[::1]//evil.example/a'],
    ['/a', 'evil.example/api?', 'http://localhost/a'],
    ['/a', '', 'http://localhost/a'],
    ['http://other.example/a?b', 'x', 'http://other.example/a?b'],
    ['http://user:word@other.example', 'x', 'http://other.example/'],
    ['*', 'x', 'http://x/*'],
  ] as const)
    it(`receives the URL ${url} for the target ${target} with the Host ${host}`, async () => {
      serve((request) => json(request.url))
      expect((await replyTo(requestText(`OPTIONS ${target} HTTP/1.1`, { Host: host })))?.json).to.equal(url)
    })

  for (const target of ['http://[', 'http://x:99999/a', 'http://%/'])
    it(`responds with 400 if the request target ${target} cannot be parsed`, async () => {
      serve((request) => new Response(request.url))
      expect((await replyTo(requestText(`GET ${target} HTTP/1.1`, { Host: 'x' })))?.status).to.equal(400)
    })

  it('receives the whole path, including the path at which a framework mounted the handler', async () => {
    const mounted = createListener((request) => json(request.url))
    listener = (request, response) => {
      mounted(Object.assign(request, { originalUrl: '/api/auth/login?a', url: '/login?a' }), response)
    }
    const reply = await replyTo(requestText('GET /api HTTP/1.1', { Host: 'x' }))
    expect(reply?.json).to.equal('http://x/api/auth/login?a')
  })

  it('sends each cookie as a separate header, and preserves cookies from an earlier middleware', async () => {
    const headers = new Headers({ Vary: 'Origin', 'X-Powered-By': 'a handler' })
    for (const cookie of ['a=1; Path=/', 'b=2, 3']) headers.append('Set-Cookie', cookie)
    const answering = createListener(() => new Response('{}', { headers }))
    listener = (request, response) => {
      const early = { 'Set-Cookie': 'early=1', Vary: 'Accept', 'X-Powered-By': 'a server' }
      response.setHeaders(new Headers(early))
      answering(request, response)
    }
    const reply = await fetch(origin)
    expect(reply.headers.getSetCookie()).to.deep.equal(['early=1', 'a=1; Path=/', 'b=2, 3'])
    expect(reply.headers.get('Vary')).to.equal('Accept, Origin')
    expect(reply.headers.get('X-Powered-By')).to.equal('a handler')
  })

  it('sends no body for HEAD, and cancels the response body', async () => {
    const cancelled = new Promise<string>((resolve) => {
      const headers = { 'Content-Length': '7' }
      serve(() => new Response(new ReadableStream({ cancel: () => resolve('cancelled') }), { headers }))
    })
    const reply = await fetch(origin, { method: 'HEAD' })
    expect([reply.headers.get('Content-Length'), await reply.text()]).to.deep.equal(['7', ''])
    expect(await cancelled).to.equal('cancelled')
  })

  it('reads an endless source no faster than the client reads, and cancels it when the client disconnects', async () => {
    const left = new Promise<boolean>((resolve) => {
      serve(({ signal }) => {
        const endless = new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(Buffer.from(ENOUGH)),
          cancel: () => resolve(signal.aborted),
        })
        return new Response(endless)
      })
    })
    const wire = await send(requestText('GET / HTTP/1.1', { Host: 'x' }))
    await once(wire.socket, 'data')
    wire.destroy()
    expect(await left).to.equal(true)
  })

  it('reads a body as it arrives, and replies while the client is still sending', async () => {
    serve(async ({ body }) => {
      const chunks = body as ReadableStream<Uint8Array<ArrayBuffer>> | null
      const first = await chunks?.getReader().read()
      return new Response(first?.value)
    })
    const head = { Host: 'x', 'Content-Length': '5000000' }
    const wire = await send(requestText('POST / HTTP/1.1', head, '[1]'))
    await once(wire.socket, 'data')
    for (let count = 0; count < 49; count += 1) wire.send(ENOUGH)
    await once(wire.socket, 'close')
    expect(wire.text()).to.match(
      /^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*\r\n3\r\n\[1\]\r\n0\r\n\r\n$/,
    )
  })

  it('keeps the connection open if the whole body has arrived, even if the handler did not read it', async () => {
    serve(() => new Response('{}', { headers: { 'Content-Length': '2' } }))
    const request = requestText('POST / HTTP/1.1', { Host: 'x', 'Content-Length': '2' }, '{}')
    const replies = await (await send(request, request)).repliesAfter(2)
    const connections = replies.map(({ headers }) => headers.get('Connection'))
    expect(connections).to.deep.equal(['keep-alive', 'keep-alive'])
  })

  for (const [what, end] of Object.entries({
    'the client has disconnected': (wire: Wire) => wire.destroy(),
    'another part of the server has replied': (_wire: Wire, response: ServerResponse) => response.end('{}'),
  }))
    it(`is notified through the signal and the body if ${what}, and may then reject`, async () => {
      const aborted = new Promise<unknown>((resolve) => {
        serve(async (request) => {
          const text = request.text()
          const failed = new Promise((fail) => void text.catch(fail))
          resolve(Promise.all([once(request.signal, 'abort'), failed]))
          return new Response(await text)
        })
      })
      const wire = await send(requestText('POST / HTTP/1.1', { Host: 'x', 'Content-Length': '9' }, '{'))
      const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
      end(wire, response)
      await aborted
    })

  it('responds to the next request on a connection on which another part of the server has replied', async () => {
    const texts: Promise<string>[] = []
    serve(async (request) => {
      texts.push(request.text())
      return new Response(await texts.at(-1), { headers: { 'Content-Length': '2' } })
    })
    const body = 'x'.repeat(1_000_000)
    const head = requestText('POST / HTTP/1.1', { Host: 'x', 'Content-Length': String(body.length) }, 'x')
    const wire = await send(head)
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
    response.end(JSON.stringify('early'))
    await texts[0]?.catch(() => undefined)
    wire.send(body.slice(1))
    wire.send(requestText('POST / HTTP/1.1', { Host: 'x', 'Content-Length': '2' }, '{}'))
    const replies = await wire.repliesAfter(2)
    expect(replies.map(({ json }) => json)).to.deep.equal(['early', {}])
  })

  const withHeaders = (headers: Record<string, string>) => new Response('{}', { headers })
  for (const [name, answer] of [
    ['a header that Node refuses', () => withHeaders({ 'Content-Type': 'a', 'X-A': '\x01' })],
    ['a trailer without chunks', () => withHeaders({ Trailer: 'X-A', 'Content-Length': '2' })],
    ['an error response without a status', () => Response.error()],
    ['an error', () => Promise.reject(new Error('of the handler'))],
  ] as const)
    it(`leaves the response to the next middleware and sets no header after ${name}`, async () => {
      serve(answer)
      const reply = await replyTo(requestText('GET / HTTP/1.1', { Host: 'x' }))
      expect([reply?.status, reply?.headers.has('Content-Type')]).to.deep.equal([500, false])
      expect(errors.splice(0)).to.have.length(1)
    })

  it('responds with 500 and logs an error of the handler to standard error if there is no next middleware', async () => {
    const alone = createListener(() => Promise.reject(new Error('of the handler')))
    listener = (request, response) => alone(request, response)
    const errors = await printedBy(async () => {
      expect((await replyTo(requestText('GET / HTTP/1.1', { Host: 'x' })))?.status).to.equal(500)
    })
    expect(errors).to.have.length(1)
  })

  it('closes the connection if the response body fails midway', async () => {
    serve(() => {
      const parts = [Buffer.from('[1')]
      const broken = new ReadableStream<Uint8Array>({
        pull(controller) {
          const part = parts.pop()
          if (!part) throw new Error('of the source')
          controller.enqueue(part)
        },
      })
      return new Response(broken)
    })
    const [error] = await printedBy(async () => {
      const wire = await send(requestText('GET / HTTP/1.1', { Host: 'x' }))
      await once(wire.socket, 'close')
      expect(wire.text()).to.match(/\r\n\r\n2\r\n\[1\r\n$/)
    })
    expect(error).to.include('of the source')
  })

  it('reports that the body has already been read', async () => {
    const late = createListener(async (request) =>
      json(await request.text().catch((error: unknown) => String(error))),
    )
    listener = (request, response) => {
      request.resume().once('end', () => late(request, response))
    }
    const reply = await replyTo(requestText('POST / HTTP/1.1', { Host: 'x', 'Content-Length': '2' }, '{}'))
    expect(reply?.json).to.include('was already read')
  })
})
