// Limits the pending replies on each connection, and closes connections whose client stops reading.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'

/**
 * Maximum number of pending replies on a connection; at this maximum, the server stops reading from the connection and defers further
 * requests.
 */
const PENDING_MAX = 16
/** Maximum number of deferred requests on all connections; a deferred request takes about 4 kB of memory. */
const WAITING_MAX = 10_000

/** How many milliseconds too late Node may close an idle connection, or reply to a request that timed out. */
const DELAYS = 2_000

/** Why the server closed a connection: the client did not read its replies, or sent too many requests before reading the replies. */
export type CloseReason = 'stalled' | 'flooding'

export type PendingRepliesOptions = {
  /** Milliseconds after which the server closes the connection of a client that reads nothing. */
  readonly requestTimeout: number
  /** Milliseconds after which Node closes a connection that receives nothing between two requests. */
  readonly keepAliveTimeout: number
  readonly onClosed: (reason: CloseReason) => void
}

type Connection = {
  readonly socket: Socket
  readonly closed: Promise<void>
  /** Replies that are not completely sent, in the order of their requests. */
  readonly pending: Set<ServerResponse>
  /** Deferred requests; their responses are the last entries of `pending`. */
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[]
  /** Number of bytes received when the last reply ended. */
  idleAt: number
  /** Number of checks since the last request. */
  idleChecks: number
  isHeld: boolean
  /** Whether the connection has had unsent bytes ever since the last check. */
  isSlow: boolean
  isBroken: boolean
}

/**
 * Tracks the pending replies of each connection. A client may send any number of requests without waiting for replies (HTTP/1.1 pipelining)
 * and may never read the replies. Therefore the server stops reading from a connection with 16 pending replies, defers further requests of
 * the same packet, and closes the connection if the client reads nothing until the timeout. While a client is slow to read its replies, the
 * server does not read from the connection, because Node would restart the timeout for each byte received.
 */
export class PendingReplies {
  readonly #options: PendingRepliesOptions
  readonly #connections = new Map<Duplex, Connection>()
  readonly #idleChecksMax: number
  #checking: NodeJS.Timeout | undefined
  #waiting = 0
  #isEnding = false

  constructor(options: PendingRepliesOptions) {
    this.#options = options
    const { requestTimeout, keepAliveTimeout } = options
    this.#idleChecksMax = Math.ceil((keepAliveTimeout + DELAYS) / requestTimeout) + 2
  }

  connected(socket: Socket): void {
    this.#checking ??= setInterval(this.#check, this.#options.requestTimeout).unref()
    const closed = new Promise<void>((resolve) => socket.once('close', resolve))
    const flags = { idleAt: 0, idleChecks: 0, isHeld: false, isSlow: false, isBroken: false }
    const connection: Connection = { socket, closed, pending: new Set(), waiting: [], ...flags }
    this.#connections.set(socket, connection)
    void closed.then(() => this.#forget(connection))
    // Node resumes even a paused socket when a handler reads a body.
    socket.on('resume', () => {
      if (connection.isHeld && !mayRead(connection)) socket.pause()
    })
    socket.on('drain', () => releaseIfDue(connection))
  }

  /** Passes a request to the handler, either immediately or after earlier requests on the connection. */
  begin(request: IncomingMessage, response: ServerResponse, handler: RequestListener): void {
    const connection = this.#connections.get(request.socket)
    if (!connection) return
    const { socket, pending } = connection
    if (pending.size === 0) socket.setTimeout(this.#options.requestTimeout)
    connection.idleChecks = 0
    pending.add(response)
    if (this.#isEnding) response.shouldKeepAlive = false
    response.once('close', () => {
      pending.delete(response)
      if (pending.size === 0) connection.idleAt = socket.bytesRead
      this.#beginNext(connection, handler)
      releaseIfDue(connection)
    })
    if (pending.size > PENDING_MAX) this.#wait(connection, request, response)
    else handler(request, response)
    if (!mayRead(connection)) hold(connection)
  }

  of(socket: Duplex): readonly ServerResponse[] {
    return [...(this.#connections.get(socket)?.pending ?? [])]
  }

  /**
   * Calls `answer` once, after all currently pending replies have been sent. Until `answer` is called, the server reads nothing from the
   * connection, because the parser repeats its error for each further byte.
   */
  afterLast(socket: Duplex, last: ServerResponse, answer: () => void): void {
    const connection = this.#connections.get(socket)
    if (!connection || connection.isBroken) return
    connection.isBroken = true
    hold(connection)
    last.once('close', () => {
      connection.isBroken = false
      answer()
      releaseIfDue(connection)
    })
  }

  /**
   * Handles the `timeout` event, which Node emits after a period without traffic. While a reply is pending, closes the connection only if
   * the client does not read; a client that reads is waiting for a slow handler. If a byte has arrived since the last reply, the next
   * request has begun, and the server's request timeout applies.
   */
  timedOut(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (!connection) return
    if (connection.pending.size > 0) {
      if (socket.writableLength > 0) this.#close(connection, 'stalled')
    } else if (socket.bytesRead > connection.idleAt) {
      // The received bytes may be empty lines, which Node discards.
      connection.idleAt = socket.bytesRead
      socket.setTimeout(this.#options.requestTimeout)
    } else {
      socket.destroy()
    }
  }

  /** Closes each connection after its last pending reply. */
  endKeepAlive(): void {
    this.#isEnding = true
    for (const { pending } of this.#connections.values()) {
      const last = [...pending].at(-1)
      if (last) last.shouldKeepAlive = false
    }
  }

  closeSilent(): void {
    for (const { socket } of this.#connections.values()) if (socket.bytesRead === 0) socket.destroy()
  }

  /** Resolves when every reply that has begun has been sent completely. */
  async delivered(): Promise<void> {
    const busy = () => [...this.#connections.values()].flatMap((one) => firstSent(one) ?? [])
    for (let open = busy(); open.length > 0; open = busy()) await Promise.all(open)
  }

  closeAll(): void {
    clearInterval(this.#checking)
    for (const { socket } of this.#connections.values()) socket.destroy()
  }

  readonly #check = (): void => {
    for (const connection of this.#connections.values()) {
      if (connection.pending.size === 0) this.#closeIdle(connection)
      else if (connection.socket.writableLength > 0) {
        connection.isSlow = true
        hold(connection)
      }
    }
  }

  /** Closes a connection of which Node restarts the timeout, because the client keeps sending empty lines instead of a request. */
  #closeIdle(connection: Connection): void {
    connection.idleChecks += 1
    if (connection.idleChecks > this.#idleChecksMax) connection.socket.destroy()
  }

  #wait(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.waiting.push({ request, response })
    this.#waiting += 1
    if (this.#waiting > WAITING_MAX)
      this.#close(connectionWithMostWaiting(this.#connections.values()), 'flooding')
  }

  #beginNext(connection: Connection, handler: RequestListener): void {
    while (connection.pending.size - connection.waiting.length < PENDING_MAX) {
      const next = connection.waiting.shift()
      if (!next) break
      this.#waiting -= 1
      // If the request is incomplete, the server has already rejected it.
      if (!next.response.writableEnded) handler(next.request, next.response)
    }
  }

  #close(connection: Connection, reason: CloseReason): void {
    this.#forget(connection)
    connection.socket.destroy()
    this.#options.onClosed(reason)
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection.socket)
    this.#waiting -= connection.waiting.length
    connection.waiting.length = 0
  }
}

/**
 * Returns whether the server may read from the connection; even with too many pending replies, it may read the body of the last request.
 */
function mayRead({ pending, waiting, isSlow, isBroken }: Connection): boolean {
  if (isSlow || isBroken) return false
  return pending.size < PENDING_MAX || (waiting.length === 0 && [...pending].at(-1)?.req.complete === false)
}

function hold(connection: Connection): void {
  connection.isHeld = true
  connection.socket.pause()
}

function releaseIfDue(connection: Connection): void {
  const { socket, pending } = connection
  if (pending.size === 0 || socket.writableLength === 0) connection.isSlow = false
  if (!connection.isHeld || !mayRead(connection)) return
  connection.isHeld = false
  socket.resume()
}

function connectionWithMostWaiting(connections: Iterable<Connection>): Connection {
  return [...connections].reduce((one, other) => (other.waiting.length > one.waiting.length ? other : one))
}

/** Returns a promise that resolves when the reply being sent has ended; returns `undefined` if no reply is being sent. */
function firstSent({ pending, closed }: Connection): Promise<void> | undefined {
  const [first] = pending
  if (first?.headersSent !== true) return undefined
  return Promise.race([closed, new Promise<void>((resolve) => first.once('close', resolve))])
}
