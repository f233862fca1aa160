import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server as TcpServer, type AddressInfo, type Socket } from 'node:net'
import type { RequestObservers } from './answered-requests.js'
import { answerBrokenRequest } from './broken-request.js'
import { RETRY_AFTER } from './failure.js'
import { bareHeaders } from './reply-headers.js'

/** How patient a server is with clients. */
export type ServerLimits = {
  /** Milliseconds for head and body of a request; 408 after it. */
  readonly requestTimeout: number
}

/** Limits, and who is told of requests that break before any handler sees them. */
export type ServerOptions = ServerLimits & { readonly observers?: RequestObservers | undefined }

/** A socket that listens. Until it is told to `serve`, every request gets 503. */
export type BoundServer = {
  readonly host: string
  readonly port: number
  /** From now on requests go to this handler. */
  serve(handler: RequestListener): void
  /**
   * Stops accepting, closes connections that wait for nothing, and resolves when every request
   * of which a byte has arrived is answered; `false` where `grace` milliseconds were not enough
   * and the rest was cut off.
   */
  drain(grace: number): Promise<boolean>
}

/** Binds first, so that the origin is known (port 0 picks a free one) before anything is built on it. */
export async function bindServer(
  host: string,
  port: number,
  { observers, requestTimeout }: ServerOptions,
): Promise<BoundServer> {
  const traffic = createTraffic()
  let handler = starting
  const server = createServer(
    {
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.max(50, Math.min(1000, requestTimeout / 4)),
      maxHeaderSize: 16 * 1024,
      // The service reads no Host header; a request without one is no less clear.
      requireHostHeader: false,
    },
    (request, response) => {
      traffic.begin(request.socket, response)
      handler(request, response)
    },
  )
  server.on('connection', traffic.connected)
  server.on('clientError', (error, socket) => {
    const open = traffic.underWay(socket)
    const response = open.find(({ req }) => !req.complete)
    const last = open.at(-1)
    const broken = { error, socket, response, observers }
    // Whoever sent whole requests before the broken one gets their answers first.
    if (!response && last) last.once('close', () => answerBrokenRequest(broken))
    else answerBrokenRequest(broken)
  })
  await once(server.listen(port, host), 'listening')
  const { port: bound } = server.address() as AddressInfo
  return {
    host,
    port: bound,
    serve: (next) => {
      handler = next
    },
    drain: (grace) => drain(server, traffic, grace),
  }
}

const starting: RequestListener = (_request, response) => {
  const body = JSON.stringify({ code: 503, message: 'The service is starting.' })
  response.writeHead(503, {
    'Content-Length': Buffer.byteLength(body),
    ...bareHeaders(''),
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': RETRY_AFTER,
  })
  response.end(body)
}

type Traffic = ReturnType<typeof createTraffic>

/** Which connections are in the middle of a request. */
function createTraffic() {
  const sockets = new Map<Duplex, { socket: Socket; open: Set<ServerResponse> }>()
  let ending = false
  return {
    connected: (socket: Socket) => {
      sockets.set(socket, { socket, open: new Set() })
      socket.once('close', () => sockets.delete(socket))
    },
    begin: (socket: Socket, response: ServerResponse) => {
      const state = sockets.get(socket)
      if (!state) return
      state.open.add(response)
      if (ending) response.shouldKeepAlive = false
      response.once('close', () => {
        state.open.delete(response)
      })
    },
    /** Answers that a connection waits for, in the order of their requests. */
    underWay: (socket: Duplex): readonly ServerResponse[] => [...(sockets.get(socket)?.open ?? [])],
    /** From now on every answer tells that it is its connection's last. */
    endKeepAlive: () => {
      ending = true
      for (const { open } of sockets.values()) {
        const last = [...open].at(-1)
        if (last) last.shouldKeepAlive = false
      }
    },
    /** Ends the connections on which no byte has arrived. */
    closeSilent: () => {
      for (const { socket } of sockets.values()) if (socket.bytesRead === 0) socket.destroy()
    },
    /** Resolves when the clients have the answers that are on their way to them. */
    delivered: async (): Promise<void> => {
      const open = [...sockets.values()].flatMap((state) => [...state.open])
      await Promise.all(open.filter(({ headersSent }) => headersSent).map(closing))
    },
    cut: () => {
      for (const socket of sockets.keys()) socket.destroy()
    },
  }
}

async function drain(server: Server, traffic: Traffic, grace: number): Promise<boolean> {
  traffic.endKeepAlive()
  // Whoever is connected by now is let in, and what the kernel holds of them is read, so that
  // "a byte has arrived" is judged fairly.
  await nextTurn()
  const closed = new Promise<void>((resolve) => {
    // The http server's own close() would cut idle connections before their last bytes are read.
    TcpServer.prototype.close.call(server, () => {
      resolve()
    })
  })
  await nextTurn()
  traffic.closeSilent()
  // Node knows which connections are between two requests, but would cut an answer on its way.
  void traffic.delivered().then(() => {
    server.closeIdleConnections()
  })
  let late: NodeJS.Timeout | undefined
  const inTime = await Promise.race([
    closed.then(() => true),
    new Promise<boolean>((resolve) => {
      late = setTimeout(resolve, grace, false)
    }),
  ])
  clearTimeout(late)
  traffic.cut()
  await closed
  return inTime
}

function closing(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve))
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
