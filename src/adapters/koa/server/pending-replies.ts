import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'

/** Pending replies of a connection, beyond which the server neither reads nor handles its next request. */
const PENDING_MAX = 16
/** Requests of all connections that wait for their handler. A request takes about 4 kB. */
const WAITING_MAX = 10_000

/** Why the server closed a connection: its client did not read, or sent too many requests ahead of their replies. */
export type CloseReason = 'stalled' | 'flooding'

export type PendingRepliesOptions = {
  /** Milliseconds after which the server closes a connection whose client reads no byte of its replies. */
  readonly timeout: number
  readonly onClosed: (reason: CloseReason) => void
}

type Connection = {
  readonly socket: Socket
  readonly closed: Promise<void>
  /** Replies that the client has not received completely, in the order of their requests. */
  readonly pending: Set<ServerResponse>
  /** The last pending replies, whose requests wait for a handler. */
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[]
  /** The bytes that had arrived when the last reply ended. */
  idleAt: number
  isHeld: boolean
  /** The connection had unsent bytes at the last check, and has not sent them all since. */
  isSlow: boolean
  isBroken: boolean
}

/**
 * The pending replies of each connection. A client may send any number of requests ahead (HTTP/1.1 pipelining) and never
 * read. So the server stops reading a connection with 16 pending replies, lets further requests of the same packet wait,
 * and closes a connection whose client reads nothing for the timeout. Node restarts that timeout for each byte that the
 * client sends, so the server does not read from a slow client.
 */
export class PendingReplies {
  readonly #options: PendingRepliesOptions
  readonly #connections = new Map<Duplex, Connection>()
  #checking: NodeJS.Timeout | undefined
  #waiting = 0
  #isEnding = false

  constructor(options: PendingRepliesOptions) {
    this.#options = options
  }

  connected(socket: Socket): void {
    this.#checking ??= setInterval(this.#holdSlow, this.#options.timeout).unref()
    const closed = new Promise<void>((resolve) => socket.once('close', resolve))
    const flags = { idleAt: 0, isHeld: false, isSlow: false, isBroken: false }
    const connection: Connection = { socket, closed, pending: new Set(), waiting: [], ...flags }
    this.#connections.set(socket, connection)
    void closed.then(() => {
      this.#forget(connection)
    })
    // Node resumes the socket when a handler reads a body.
    socket.on('resume', () => {
      if (connection.isHeld && !mayRead(connection)) socket.pause()
    })
    socket.on('drain', () => {
      releaseIfDue(connection)
    })
  }

  /** Passes a request to the handler, immediately or when its turn comes. */
  begin(request: IncomingMessage, response: ServerResponse, handler: RequestListener): void {
    const connection = this.#connections.get(request.socket)
    if (!connection) return
    const { socket, pending } = connection
    if (pending.size === 0) socket.setTimeout(this.#options.timeout)
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

  /** The pending replies of a connection, in the order of their requests. */
  of(socket: Duplex): readonly ServerResponse[] {
    return [...(this.#connections.get(socket)?.pending ?? [])]
  }

  /**
   * Calls `answer` once, after all replies that are pending now, and reads nothing until then. The parser reports its
   * error again for each further byte.
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
   * Node emits `timeout` if no byte has passed for a time: the timeout of this class while a reply is pending, otherwise the
   * keep-alive timeout. While a reply is pending and no bytes are unsent, the client waits for a slow handler. If a byte has
   * arrived since the last reply, the next request has begun, and the request timeout of the server bounds it.
   */
  timedOut(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (!connection) return
    if (connection.pending.size > 0) {
      if (socket.writableLength > 0) this.#close(connection, 'stalled')
    } else if (socket.bytesRead > connection.idleAt) {
      // In case that these bytes begin no request: Node discards empty lines.
      connection.idleAt = socket.bytesRead
      socket.setTimeout(this.#options.timeout)
    } else {
      socket.destroy()
    }
  }

  /** From now on the last reply of each connection closes the connection. */
  endKeepAlive(): void {
    this.#isEnding = true
    for (const { pending } of this.#connections.values()) {
      const last = [...pending].at(-1)
      if (last) last.shouldKeepAlive = false
    }
  }

  /** Closes the connections on which no byte has arrived. */
  closeSilent(): void {
    for (const { socket } of this.#connections.values()) if (socket.bytesRead === 0) socket.destroy()
  }

  /** Resolves when no client waits for the rest of a reply. */
  async delivered(): Promise<void> {
    const busy = () => [...this.#connections.values()].flatMap((one) => firstSent(one) ?? [])
    for (let open = busy(); open.length > 0; open = busy()) await Promise.all(open)
  }

  closeAll(): void {
    clearInterval(this.#checking)
    for (const { socket } of this.#connections.values()) socket.destroy()
  }

  readonly #holdSlow = (): void => {
    for (const connection of this.#connections.values()) {
      if (connection.pending.size === 0 || connection.socket.writableLength === 0) continue
      connection.isSlow = true
      hold(connection)
    }
  }

  #wait(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.waiting.push({ request, response })
    this.#waiting += 1
    if (this.#waiting > WAITING_MAX) this.#close(greediest(this.#connections.values()), 'flooding')
  }

  /** Passes waiting requests to the handler while the connection has room. */
  #beginNext(connection: Connection, handler: RequestListener): void {
    while (connection.pending.size - connection.waiting.length < PENDING_MAX) {
      const next = connection.waiting.shift()
      if (!next) break
      this.#waiting -= 1
      // An incomplete request already has its reply.
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

/** The handler of the last request may need the rest of its body, even with too many pending replies. */
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

function greediest(connections: Iterable<Connection>): Connection {
  return [...connections].reduce((one, other) => (other.waiting.length > one.waiting.length ? other : one))
}

/** Resolves when the client has the reply that is being sent; `undefined` without such a reply. */
function firstSent({ pending, closed }: Connection): Promise<void> | undefined {
  const [first] = pending
  if (first?.headersSent !== true) return undefined
  return Promise.race([closed, new Promise<void>((resolve) => first.once('close', resolve))])
}
