import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { bindServer, type BoundServer } from '../../../src/adapters/koa/index.js'
import type { ServerOptions } from '../../../src/adapters/koa/server/server.js'

export type WireReply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

export type Wire = Awaited<ReturnType<typeof openWire>>

/** Opens a connection that sends exactly the given bytes, at the given time. */
export async function openWire(origin: string) {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: false })
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
  })
  // A server may reset the connection if the client sends more than the server reads.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const ended = new Promise<void>((resolve) => socket.once('close', resolve))
  const replies = () => parseReplies(received)
  return {
    socket,
    send: (bytes: string | Uint8Array) => socket.write(bytes),
    text: () => received,
    replies,
    /** Resolves when this many replies are complete; rejects if the connection ends earlier. */
    repliesAfter: async (count: number): Promise<readonly WireReply[]> => {
      while (replies().length < count) {
        if (socket.closed) throw new Error(`closed after ${replies().length} replies: ${received}`)
        await Promise.race([once(socket, 'data'), ended])
      }
      return replies()
    },
    /** Resolves with all replies when the server has closed the connection. */
    closed: async (): Promise<readonly WireReply[]> => {
      await ended
      return replies()
    },
    destroy: () => {
      socket.destroy()
    },
  }
}

/** Opens wires, and destroys them after each test. Must be called in a `describe`. */
export function wiresOfTests(): typeof openWire {
  const wires: Wire[] = []
  afterEach(() => {
    for (const wire of wires.splice(0)) wire.destroy()
  })
  return async (origin) => {
    const wire = await openWire(origin)
    wires.push(wire)
    return wire
  }
}

export type WiredServer = BoundServer & { readonly open: () => Promise<Wire> }

/** Binds servers to free ports; after each test, their wires are destroyed and the servers stop. Must be called in a `describe`. */
export function serversOfTests() {
  const open = wiresOfTests()
  const servers: BoundServer[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.drain(0)
  })
  return async (handler?: RequestListener, options: Partial<ServerOptions> = {}): Promise<WiredServer> => {
    const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000, ...options })
    servers.push(server)
    if (handler) server.serve(handler)
    return { ...server, open: () => open(`http://127.0.0.1:${server.port}`) }
  }
}

export function finish(response: ServerResponse, body: string | Buffer = '{}'): void {
  response.setHeader('Content-Length', body.length)
  response.end(body)
}

/** Holds all replies until the test finishes them. */
export function heldReplies() {
  const held: ServerResponse[] = []
  let arrived: () => void = () => undefined
  const handler: RequestListener = (_request, response) => {
    held.push(response)
    arrived()
  }
  const has = async (count: number) => {
    while (held.length < count) await new Promise<void>((resolve) => (arrived = resolve))
  }
  return { held, handler, has }
}

/** Returns the bytes of a request; the caller sets `Host`. */
export function requestText(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line}\r\n${lines.join('')}\r\n${body}`
}

function parseReplies(received: string): WireReply[] {
  const replies: WireReply[] = []
  let rest = received
  for (let reply = firstReply(rest); reply; reply = firstReply(rest)) {
    replies.push(reply.reply)
    rest = rest.slice(reply.length)
  }
  return replies
}

function firstReply(text: string): { reply: WireReply; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Headers(lines.map((line) => splitHeader(line)))
  const length = end + 4 + Number(headers.get('Content-Length') ?? 0)
  if (text.length < length) return undefined
  const body = Buffer.from(text.slice(end + 4, length), 'latin1').toString('utf8')
  const status = Number(/^HTTP\/1\.1 ([0-9]{3}) /.exec(statusLine)?.[1])
  return { reply: { status, headers, text: body, json: body === '' ? undefined : JSON.parse(body) }, length }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(': ')
  return [line.slice(0, colon), line.slice(colon + 2)]
}
