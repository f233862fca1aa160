import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'

/** Answers that a connection may be owed before its next request is begun or read. */
const OWED_MAX = 16
/** Requests of all connections together that were read and wait to be begun: about 4 kB each. */
const WAITING_MAX = 10_000

/** Why a connection was cut off: its client did not read, or sent more requests ahead than can be kept. */
export type Cut = 'stalled' | 'flooding'

export type OwedAnswersOptions = {
  /** Milliseconds without a byte taken, after which a client that is owed bytes is cut off. */
  readonly timeout: number
  readonly onCut: (cut: Cut) => void
}

type Connection = {
  readonly socket: Socket
  readonly closed: Promise<void>
  /** Answers that the client does not have yet, in the order of their requests. */
  readonly owed: Set<ServerResponse>
  /** The last of them, which no handler has begun. */
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[]
  isHeld: boolean
  /** It had bytes to take when it was last looked at, and has not taken them all since. */
  isSlow: boolean
  isBroken: boolean
}

/**
 * What each connection is owed. A client may send requests ahead without end (HTTP/1.1 pipelining), and never read:
 * so a connection with 16 answers to come is not read from, requests that came in the same packet wait, and a client
 * that takes no byte for the timeout is cut off. Bytes that it sends are no sign that it reads, but would start Node's
 * timeout again: they stay unread while it takes its time.
 */
export class OwedAnswers {
  readonly #options: OwedAnswersOptions
  readonly #connections = new Map<Duplex, Connection>()
  #looking: NodeJS.Timeout | undefined
  #waiting = 0
  #isEnding = false

  constructor(options: OwedAnswersOptions) {
    this.#options = options
  }

  connected(socket: Socket): void {
    this.#looking ??= setInterval(this.#holdSlow, this.#options.timeout).unref()
    const closed = new Promise<void>((resolve) => socket.once('close', resolve))
    const flags = { isHeld: false, isSlow: false, isBroken: false }
    const connection: Connection = { socket, closed, owed: new Set(), waiting: [], ...flags }
    this.#connections.set(socket, connection)
    void closed.then(() => {
      this.#forget(connection)
    })
    // Node goes on reading wherever a handler reads a body.
    socket.on('resume', () => {
      if (connection.isHeld && !mayRead(connection)) socket.pause()
    })
    socket.on('drain', () => {
      releaseIfDue(connection)
    })
  }

  /** Has the handler answer a request at once, or when its turn comes. */
  begin(request: IncomingMessage, response: ServerResponse, handler: RequestListener): void {
    const connection = this.#connections.get(request.socket)
    if (!connection) return
    const { socket, owed } = connection
    if (owed.size === 0) socket.setTimeout(this.#options.timeout)
    owed.add(response)
    response.on('timeout', this.#stalled)
    if (this.#isEnding) response.shouldKeepAlive = false
    response.once('close', () => {
      owed.delete(response)
      this.#beginNext(connection, handler)
      releaseIfDue(connection)
    })
    if (owed.size > OWED_MAX) this.#wait(connection, request, response)
    else handler(request, response)
    if (!mayRead(connection)) hold(connection)
  }

  /** Answers that a connection waits for, in the order of their requests. */
  of(socket: Duplex): readonly ServerResponse[] {
    return [...(this.#connections.get(socket)?.owed ?? [])]
  }

  /**
   * Calls once, when all that is owed by now has been delivered; until then nothing is read. The parser fails again with
   * every further byte, and tells of it each time.
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

  /** From now on every answer tells that it is its connection's last. */
  endKeepAlive(): void {
    this.#isEnding = true
    for (const { owed } of this.#connections.values()) {
      const last = [...owed].at(-1)
      if (last) last.shouldKeepAlive = false
    }
  }

  /** Ends the connections on which no byte has arrived. */
  closeSilent(): void {
    for (const { socket } of this.#connections.values()) if (socket.bytesRead === 0) socket.destroy()
  }

  /** Resolves when no answer is on its way to a client. */
  async delivered(): Promise<void> {
    const busy = () => [...this.#connections.values()].flatMap((one) => firstSent(one) ?? [])
    for (let open = busy(); open.length > 0; open = busy()) await Promise.all(open)
  }

  /** Nothing is left of it. */
  cutAll(): void {
    clearInterval(this.#looking)
    for (const { socket } of this.#connections.values()) socket.destroy()
  }

  /** Node tells of it only where the kernel has not taken a byte meanwhile; a handler may take its time. */
  readonly #stalled = (socket: Socket): void => {
    const connection = this.#connections.get(socket)
    if (connection && socket.writableLength > 0) this.#cut(connection, 'stalled')
  }

  readonly #holdSlow = (): void => {
    for (const connection of this.#connections.values()) {
      if (connection.owed.size === 0 || connection.socket.writableLength === 0) continue
      connection.isSlow = true
      hold(connection)
    }
  }

  #wait(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.waiting.push({ request, response })
    this.#waiting += 1
    if (this.#waiting > WAITING_MAX) this.#cut(greediest(this.#connections.values()), 'flooding')
  }

  /** What was waiting and may begin now that there is room for it. */
  #beginNext(connection: Connection, handler: RequestListener): void {
    while (connection.owed.size - connection.waiting.length < OWED_MAX) {
      const next = connection.waiting.shift()
      if (!next) break
      this.#waiting -= 1
      // One that did not arrive whole has had its answer without a handler.
      if (!next.response.writableEnded) handler(next.request, next.response)
    }
  }

  #cut(connection: Connection, why: Cut): void {
    this.#forget(connection)
    connection.socket.destroy()
    this.#options.onCut(why)
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection.socket)
    this.#waiting -= connection.waiting.length
    connection.waiting.length = 0
  }
}

/** The body of a request that has begun has to come in, however much is owed. */
function mayRead({ owed, waiting, isSlow, isBroken }: Connection): boolean {
  if (isSlow || isBroken) return false
  return owed.size < OWED_MAX || (waiting.length === 0 && [...owed].at(-1)?.req.complete === false)
}

function hold(connection: Connection): void {
  connection.isHeld = true
  connection.socket.pause()
}

function releaseIfDue(connection: Connection): void {
  const { socket, owed } = connection
  if (owed.size === 0 || socket.writableLength === 0) connection.isSlow = false
  if (!connection.isHeld || !mayRead(connection)) return
  connection.isHeld = false
  socket.resume()
}

function greediest(connections: Iterable<Connection>): Connection {
  return [...connections].reduce((one, other) => (other.waiting.length > one.waiting.length ? other : one))
}

/** Resolves when the answer that is on its way has arrived; `undefined` where there is none. */
function firstSent({ owed, closed }: Connection): Promise<void> | undefined {
  const [first] = owed
  if (first?.headersSent !== true) return undefined
  return Promise.race([closed, new Promise<void>((resolve) => first.once('close', resolve))])
}
