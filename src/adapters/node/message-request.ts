import type { IncomingMessage, ServerResponse } from 'node:http'
import { HostClient } from '../../application/client-context.js'
import type { TrustedProxies } from '../../http/request/trusted-proxies.js'
import { announcesBody } from './connection.js'
import type { Exchange } from '../../http/message.js'
import type { RequestObservers } from '../../http/parts.js'
import { isObserved, reportRequest, requestMethod, UNMATCHED } from '../../http/request-log.js'

/** Request properties that depend only on Node's `IncomingMessage`; they are computed on demand, because few requests need all of them. */
export abstract class MessageRequest extends HostClient {
  readonly #message: IncomingMessage
  readonly #proxies: TrustedProxies
  #address: { readonly found: string | undefined } | undefined

  constructor(message: IncomingMessage, proxies: TrustedProxies) {
    super()
    this.#message = message
    this.#proxies = proxies
  }

  get peer(): string | undefined {
    return this.#message.socket.remoteAddress
  }

  get address(): string | undefined {
    this.#address ??= {
      found: this.#proxies.clientAddress({ peer: this.peer, forwarded: this.header('x-forwarded-for') }),
    }
    return this.#address.found
  }

  abstract override get requestId(): string

  /** Joins repeated headers as `Request` does; Node would keep only the first header. */
  get userAgent(): string | undefined {
    return this.headerValues('user-agent').join(', ') || undefined
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

  /** Reads the raw headers, because Node joins repeated headers or keeps only the first header. */
  headerValues(name: string): readonly string[] {
    const raw = this.#message.rawHeaders
    const values: string[] = []
    for (let index = 0; index < raw.length; index += 2) {
      const candidate = raw[index]
      if (candidate?.length === name.length && candidate.toLowerCase() === name)
        values.push(raw[index + 1] ?? '')
    }
    return values
  }

  get hasBody(): boolean {
    return announcesBody(this.#message)
  }
}

/** A request received by Node's HTTP server. The `state` object is complete when the request ends. */
export type ObservedMessage = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly state: { readonly route?: string | undefined; readonly exchange?: Exchange }
}

export function createRequestObserver(observers: RequestObservers): (message: ObservedMessage) => void {
  return ({ req, res, state }) => {
    if (!isObserved(observers)) return
    const begun = performance.now()
    const report = () => {
      if (!state.exchange) return
      const method = requestMethod(req.method ?? '')
      const { route = UNMATCHED } = state
      const status = res.headersSent ? res.statusCode : 'aborted'
      const duration = performance.now() - begun
      reportRequest(observers, { method, route, status, duration }, state.exchange)
    }
    // Node emits `close` exactly once, possibly before this function is called.
    if (res.closed) setImmediate(report)
    else res.on('close', report)
  }
}
