import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Server as TcpServer, type AddressInfo, type Socket } from 'node:net'
import type { RequestObservers } from '../../../http/parts.js'
import { announcesBody, lingerAfterLast } from '../../node/unread-body.js'
import { answerBrokenRequest } from './client-error.js'
import { connectionLimit, MAX_CONNECTIONS } from './connection-limit.js'
import { connectionNotices } from './connection-notices.js'
import { RETRY_AFTER } from '../../../http/reply/failure.js'
import { OwedAnswers } from './owed-answers.js'
import { bareHeaders } from '../../../http/reply/reply-headers.js'

/** How long a server waits for clients, and how many it takes. */
export type ServerLimits = {
  /**
   * Milliseconds for head and body of a request; 408 after it. And for a client that is owed bytes to take the next
   * of them: one that does not read is cut off.
   */
  readonly requestTimeout: number
  /**
   * Milliseconds for which a connection may be idle between two requests, 5,000 by default. A proxy in front that keeps
   * idle connections has to close them earlier than this, otherwise it sends requests to connections that are being closed.
   */
  readonly keepAliveTimeout?: number
  /**
   * Connections at once, 10,000 by default: further ones are closed as they come. Fewer where the process may not open
   * that many files and sockets, of which some are kept free; a warning says so.
   */
  readonly maxConnections?: number
  /** How many processes share these connections, each with the same part of them; 1 by default. */
  readonly processes?: number
}

const KEEP_ALIVE_TIMEOUT = 5_000

/** Limits, and who is told of requests and connections that end before any handler sees them. */
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
export async function bindServer(host: string, port: number, options: ServerOptions): Promise<BoundServer> {
  const { observers, requestTimeout, maxConnections = MAX_CONNECTIONS, processes = 1 } = options
  const notices = connectionNotices(observers)
  const owed = new OwedAnswers({ timeout: requestTimeout, onCut: notices.cut })
  let handler = starting
  const begin: RequestListener = (request, response) => {
    // Node drops what came in one packet behind it: its client must not wait for more answers.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    owed.begin(request, response, handler)
  }
  const server = answeringOdd(createHttpServer(options, begin), begin, owed)
  const limit = connectionLimit(Math.ceil(maxConnections / processes))
  server.on('connection', (socket) => {
    lingerAfterLast(socket)
    owed.connected(socket)
  })
  limitConnections(server, limit.connections, notices.refused)
  server.on('clientError', (error, socket) => {
    const open = owed.of(socket)
    const response = open.find(({ req }) => !req.complete)
    const last = open.at(-1)
    const broken = { error, socket, response, observers }
    // A client that sent whole requests before the broken one gets their answers first.
    if (!response && last)
      owed.afterLast(socket, last, () => {
        answerBrokenRequest(broken)
      })
    else answerBrokenRequest(broken)
  })
  await once(server.listen(port, host), 'listening')
  // Later on it is only about a connection that could not be accepted, as without a free descriptor.
  server.on('error', notices.failed)
  notices.limited({ wanted: maxConnections, processes }, limit)
  const { port: bound } = server.address() as AddressInfo
  return {
    host,
    port: bound,
    serve: (next) => {
      handler = next
    },
    drain: (grace) => drain(server, owed, grace),
  }
}

/** Answers requests too that Node would answer itself, half read, or not at all. */
function answeringOdd(server: Server, begin: RequestListener, owed: OwedAnswers): Server {
  // Node hides headers after the first 2,000, though its parser goes by them: a Content-Length, say. Their size is limited.
  server.maxHeadersCount = 0
  server.on('checkContinue', (request, response) => {
    tellToContinue(response, owed.of(request.socket).at(-1))
    begin(request, response)
  })
  // What a client expects beside `100-continue` it gets as little as ever (RFC 9110, 10.1.1): its request is like any other.
  server.on('checkExpectation', begin)
  // Only a proxy knows what to do with it. Without a listener the connection is destroyed, and earlier answers with it.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => undefined).resume()
    // Node has let go of the connection: no answer that waits for its client to read would hear that it has.
    socket.on('drain', () => {
      for (const response of owed.of(socket)) if (response.writableNeedDrain) response.emit('drain')
    })
    server.emit('clientError', new Error('CONNECT is for proxies.'), socket)
  })
  return server
}

/**
 * Sends 100 when its turn has come, unless the answer is there by then. Node would write it at once, and with other answers on
 * their way that is between the head of this answer and its body.
 */
function tellToContinue(response: ServerResponse, last: ServerResponse | undefined): void {
  const tell = () => {
    if (!response.headersSent) response.writeContinue()
  }
  if (last) last.once('close', tell)
  else tell()
}

/**
 * Closes what comes above the limit. In a worker of `node:cluster` Node's own limit would not: it gives the connection
 * back to the primary process, which offers it to the next worker, for ever where all are full (and before Node 22.12
 * nothing can change that).
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
    headersTimeout: requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: Math.max(50, Math.min(1000, requestTimeout / 4)),
    maxHeaderSize: 16 * 1024,
    // The service reads no Host header; a request without one is no less clear.
    requireHostHeader: false,
  }
  const server = createServer(options, begin)
  // Node takes no value above the request's timeout as an option. The request's timeout bounds the head too.
  server.headersTimeout = Math.max(requestTimeout, keepAliveTimeout) + 1000
  return server
}

const starting: RequestListener = (request, response) => {
  const body = JSON.stringify({ code: 503, message: 'The service is starting.' })
  response.writeHead(503, {
    'Content-Length': Buffer.byteLength(body),
    ...bareHeaders(''),
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': RETRY_AFTER,
    ...(announcesBody(request) && { Connection: 'close' }),
  })
  response.end(body)
}

async function drain(server: Server, owed: OwedAnswers, grace: number): Promise<boolean> {
  owed.endKeepAlive()
  // A client that is connected by now is let in, and what the kernel holds of them is read, so that
  // "a byte has arrived" is judged fairly.
  await nextTurn()
  const closed = new Promise<void>((resolve) => {
    // The http server's own close() would cut idle connections before their last bytes are read.
    TcpServer.prototype.close.call(server, () => {
      resolve()
    })
  })
  await nextTurn()
  owed.closeSilent()
  // Node knows which connections are between two requests, but would cut an answer on its way.
  void owed.delivered().then(() => {
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
  owed.cutAll()
  await closed
  // Without connections it only ends the timer of Node's that looks at them, which keeps the server and all behind it.
  server.close()
  return inTime
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
