import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Server as TcpServer, type AddressInfo, type Socket } from 'node:net'
import type { RequestObservers } from '../../../http/parts.js'
import { replyToHalfClosed } from '../../node/half-closed.js'
import { announcesBody, lingerAfterLast } from '../../node/unread-body.js'
import { answerBrokenRequest } from './client-error.js'
import { connectionLimit, MAX_CONNECTIONS } from './connection-limit.js'
import { connectionNotices } from './connection-notices.js'
import { failureBody, RETRY_AFTER, type Failure } from '../../../http/reply/failure.js'
import { PendingReplies } from './pending-replies.js'
import { bareHeaders } from '../../../http/reply/reply-headers.js'

/** Timeouts and connection limit of a server. */
export type ServerLimits = {
  /**
   * Milliseconds within which head and body of a request must arrive; 408 otherwise. A client that reads nothing of
   * its replies for this time is disconnected.
   */
  readonly requestTimeout: number
  /**
   * Milliseconds that a connection may be idle between two requests, 5,000 by default. A proxy in front must use a
   * shorter timeout, otherwise it sends requests on connections that are being closed.
   */
  readonly keepAliveTimeout?: number
  /**
   * Maximum of concurrent connections, 10,000 by default; the server closes further connections immediately. If the
   * process may not open enough files and sockets, the server lowers the number and logs a warning.
   */
  readonly maxConnections?: number
  /** Number of processes that share the maximum equally; 1 by default. */
  readonly processes?: number
}

const KEEP_ALIVE_TIMEOUT = 5_000

/** `observers` get requests and connections that end before a handler sees them. */
export type ServerOptions = ServerLimits & { readonly observers?: RequestObservers | undefined }

/** A listening server. Every request gets 503 until `serve` is called. */
export type BoundServer = {
  readonly host: string
  readonly port: number
  /** Passes requests to this handler from now on. */
  serve(handler: RequestListener): void
  /**
   * Stops accepting, closes idle connections, and resolves with `true` when every request that has begun to arrive is
   * answered. Resolves with `false` if this takes longer than `grace` milliseconds; the remaining connections are closed.
   */
  drain(grace: number): Promise<boolean>
}

/** Listens before the service exists, because the service must know its port (0 picks a free port). */
export async function bindServer(host: string, port: number, options: ServerOptions): Promise<BoundServer> {
  const { observers, requestTimeout, maxConnections = MAX_CONNECTIONS, processes = 1 } = options
  const notices = connectionNotices(observers)
  const pending = new PendingReplies({ timeout: requestTimeout, onClosed: notices.closed })
  let handler = starting
  const begin: RequestListener = (request, response) => {
    // Node drops what follows an upgrade request in the packet, so this reply must be the last.
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
    if (!response && last)
      pending.afterLast(socket, last, () => {
        answerBrokenRequest(broken)
      })
    else answerBrokenRequest(broken)
  })
  await once(server.listen(port, host), 'listening')
  // From now on, `error` means that a connection could not be accepted, for example without a free descriptor.
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

/** Handles requests that Node would by default answer itself, truncate, cut off, or ignore. */
function handleSpecialRequests(server: Server, begin: RequestListener, pending: PendingReplies): Server {
  // By default Node hides headers after the first 2,000, although its parser obeys them. Their size is limited anyway.
  server.maxHeadersCount = 0
  server.on('checkContinue', (request, response) => {
    sendContinue(response, pending.of(request.socket).at(-1))
    begin(request, response)
  })
  // Without a listener Node destroys a socket whose next request takes longer than the keep-alive timeout.
  server.on('timeout', (socket: Socket) => {
    pending.timedOut(socket)
  })
  // Any other expectation is ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', begin)
  // Without a listener Node destroys the connection, and earlier replies are lost.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => undefined).resume()
    // Node has detached the socket and no longer passes `drain` to its replies.
    socket.on('drain', () => {
      for (const response of pending.of(socket)) if (response.writableNeedDrain) response.emit('drain')
    })
    server.emit('clientError', new Error('CONNECT is for proxies.'), socket)
  })
  return server
}

/**
 * Sends 100 after the last pending reply, unless the final reply has begun by then. Node would write it immediately,
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
 * Closes connections above the limit. In a worker of `node:cluster`, Node's own limit returns the connection to the primary
 * process, which offers it to the next worker, endlessly if all are full. Before Node 22.12 no option changes that.
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
    // Must not exceed `requestTimeout`: Node would swap the two.
    headersTimeout: requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: Math.max(50, Math.min(1000, requestTimeout / 4)),
    maxHeaderSize: 16 * 1024,
    // The service ignores the Host header.
    requireHostHeader: false,
  }
  return createServer(options, begin)
}

/** Matches the path of a request target; a proxy may send an absolute URL. */
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
  // Lets Node accept clients that are already connected and read what the kernel has buffered.
  await nextTurn()
  const closed = new Promise<void>((resolve) => {
    // The http server's own close() would cut idle connections before their last bytes are read.
    TcpServer.prototype.close.call(server, () => {
      resolve()
    })
  })
  await nextTurn()
  pending.closeSilent()
  // Not earlier: Node would also close connections whose reply is partly sent.
  void pending.delivered().then(() => {
    server.closeIdleConnections()
  })
  let timer: NodeJS.Timeout | undefined
  const inTime = await Promise.race([
    closed.then(() => true),
    new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, grace, false)
    }),
  ])
  clearTimeout(timer)
  pending.closeAll()
  await closed
  // Ends Node's timer for connections, which would keep the server in memory.
  server.close()
  return inTime
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
