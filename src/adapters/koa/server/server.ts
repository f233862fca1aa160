import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { Server as TcpServer, type AddressInfo, type Socket } from 'node:net'
import type { RequestObservers } from '../../../http/parts.js'
import { replyToHalfClosed, announcesBody, lingerAfterLast } from '../../node/connection.js'
import { answerBrokenRequest } from './client-error.js'
import { connectionLimit, MAX_CONNECTIONS, connectionNotices } from './connections.js'
import { failureBody, RETRY_AFTER, type Failure } from '../../../http/reply/failure.js'
import { PendingReplies } from './pending-replies.js'
import { bareHeaders } from '../../../http/reply/reply-headers.js'

/** Timeouts and connection limit of a server. */
export type ServerLimits = {
  /**
   * Milliseconds within which the headers and the body of a request must arrive; otherwise the server replies with 408. The server also
   * disconnects a client that reads no reply bytes within this time.
   */
  readonly requestTimeout: number
  /**
   * Milliseconds that a connection may be idle between two requests, 5,000 by default. A reverse proxy must use a shorter timeout;
   * otherwise it sends requests on connections that the server is closing.
   */
  readonly keepAliveTimeout?: number
  /**
   * Maximum number of concurrent connections, 10,000 by default; the server closes additional connections immediately. If the process
   * cannot open enough files and sockets, the server lowers the maximum and logs a warning.
   */
  readonly maxConnections?: number
  /** Number of processes that share the maximum number of connections equally; 1 by default. */
  readonly processes?: number
}

const KEEP_ALIVE_TIMEOUT = 5_000

/** The `observers` are notified of requests and connections that end before they reach a handler. */
export type ServerOptions = ServerLimits & { readonly observers?: RequestObservers | undefined }

/** A listening server. The server replies to every request with 503 until `serve` is called. */
export type BoundServer = {
  readonly host: string
  readonly port: number
  /** Passes all further requests to this handler. */
  serve(handler: RequestListener): void
  /**
   * Stops accepting connections, closes idle connections, and resolves with `true` when the server has replied to every request that has
   * begun to arrive. Resolves with `false` and closes the remaining connections if the replies take longer than `grace` milliseconds.
   */
  drain(grace: number): Promise<boolean>
}

/** Starts listening before the service exists, because the service must know its port (port 0 selects a free port). */
export async function bindServer(host: string, port: number, options: ServerOptions): Promise<BoundServer> {
  const { observers, maxConnections = MAX_CONNECTIONS, processes = 1 } = options
  const notices = connectionNotices(observers)
  const pending = new PendingReplies({
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    ...options,
    onClosed: notices.closed,
  })
  let handler = starting
  const begin: RequestListener = (request, response) => {
    // Node drops the bytes that follow an upgrade request in the same packet, so this reply must be the last on the connection.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    pending.begin(request, response, handler)
  }
  const server = handleSpecialRequests(createHttpServer(options, begin), begin, pending)
  const limit = connectionLimit(Math.ceil(maxConnections / processes))
  server.on('connection', (socket) => {
    replyToHalfClosed(socket)
    lingerAfterLast(socket)
    pending.connected(socket)
  })
  limitConnections(server, limit.connections, notices.refused)
  server.on('clientError', (error, socket) => {
    const open = pending.of(socket)
    const response = open.find(({ req }) => !req.complete)
    const last = open.at(-1)
    const broken = { error, socket, response, observers }
    // Reply to the earlier complete requests first.
    if (!response && last) pending.afterLast(socket, last, () => answerBrokenRequest(broken))
    else answerBrokenRequest(broken)
  })
  await once(server.listen(port, host), 'listening')
  // From now on, `error` means that the server could not accept a connection, for example because no file descriptor was free.
  server.on('error', notices.failed)
  notices.limited({ wanted: maxConnections, processes }, limit)
  const { port: bound } = server.address() as AddressInfo
  return {
    host,
    port: bound,
    serve: (next) => {
      handler = next
    },
    drain: (grace) => drain(server, pending, grace),
  }
}

/** Handles requests that Node would by default truncate, ignore or answer itself, or that would make Node close the connection. */
function handleSpecialRequests(server: Server, begin: RequestListener, pending: PendingReplies): Server {
  // By default, Node hides all headers after the first 2,000, although its parser interprets them. The total size of the headers is limited
  // anyway.
  server.maxHeadersCount = 0
  server.on('checkContinue', (request, response) => {
    sendContinue(response, pending.of(request.socket).at(-1))
    begin(request, response)
  })
  // Without this listener, Node destroys a socket if the next request takes longer than the keep-alive timeout.
  server.on('timeout', (socket: Socket) => pending.timedOut(socket))
  // The server ignores any expectation other than `100-continue` (RFC 9110, 10.1.1).
  server.on('checkExpectation', begin)
  // Without this listener, Node destroys the connection, and earlier replies are lost.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => undefined).resume()
    // Node has detached the socket and no longer forwards `drain` events to the replies on it.
    socket.on('drain', () => {
      for (const response of pending.of(socket)) if (response.writableNeedDrain) response.emit('drain')
    })
    server.emit('clientError', new Error('The service is not a proxy and does not support CONNECT.'), socket)
  })
  return server
}

/**
 * Sends the 100 status after the last pending reply, unless the final reply has begun by then. Node would write the 100 status immediately,
 * possibly in the middle of another reply.
 */
function sendContinue(response: ServerResponse, last: ServerResponse | undefined): void {
  const send = () => {
    if (!response.headersSent) response.writeContinue()
  }
  if (last) last.once('close', send)
  else send()
}

/**
 * In a worker of `node:cluster`, counts connections instead of using Node's own limit: with that limit, a full worker would return a
 * connection to the primary process, which would offer the connection to the next worker, endlessly if all workers are full. Before Node
 * 22.12, no option changes this behavior.
 */
function limitConnections(server: Server, limit: number, onRefused: () => void): void {
  if (!cluster.isWorker) {
    server.maxConnections = limit
    server.on('drop', onRefused)
    return
  }
  let open = 0
  server.on('connection', (socket: Socket) => {
    open += 1
    socket.once('close', () => (open -= 1))
    if (open <= limit) return
    socket.destroy()
    onRefused()
  })
}

function createHttpServer(
  { requestTimeout, keepAliveTimeout = KEEP_ALIVE_TIMEOUT }: ServerLimits,
  begin: RequestListener,
): Server {
  const options = {
    requestTimeout,
    // This value must not exceed `requestTimeout`; otherwise, Node would swap the two values.
    headersTimeout: requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: Math.max(50, Math.min(1000, requestTimeout / 4)),
    maxHeaderSize: 16 * 1024,
    // The service ignores the Host header.
    requireHostHeader: false,
  }
  return createServer(options, begin)
}

/** Matches the path of a request target; a target sent by a proxy may be an absolute URL. */
const PATH = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)/i
const STARTING: Failure = {
  status: 503,
  messages: [{ field: '', type: 'Unavailable', message: 'The service is starting.' }],
  unexpected: false,
}

const starting: RequestListener = (request, response) => {
  const [, path = ''] = PATH.exec(request.url ?? '') ?? []
  const body = JSON.stringify(failureBody(STARTING, path))
  response.writeHead(503, {
    'Content-Length': Buffer.byteLength(body),
    ...bareHeaders(''),
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': RETRY_AFTER,
    ...(announcesBody(request) && { Connection: 'close' }),
  })
  response.end(body)
}

async function drain(server: Server, pending: PendingReplies, grace: number): Promise<boolean> {
  pending.endKeepAlive()
  // Lets Node accept the clients that have already connected, and lets it read the data that the kernel has buffered.
  await nextTurn()
  const closed = new Promise<void>((resolve) => {
    // The `close()` method of the HTTP server would close idle connections before their last bytes are read.
    TcpServer.prototype.close.call(server, () => resolve())
  })
  await nextTurn()
  pending.closeSilent()
  // Idle connections are closed only after all replies have been sent, because Node would also close connections with a partially sent
  // reply.
  void pending.delivered().then(() => server.closeIdleConnections())
  const ended = new AbortController()
  const inTime = await Promise.race([closed.then(() => true), pause(grace, false, ended)])
  ended.abort()
  pending.closeAll()
  await closed
  // Stops Node's connection timer, which would otherwise keep the server in memory.
  server.close()
  return inTime
}
