import type { IncomingMessage } from 'node:http'
import type { HttpInterface } from '../../http/http-interface.js'
import type { HttpRequest } from '../../http/message.js'
import { MessageRequest } from './message-request.js'

/** The request properties that are derived from the request target. */
export type RequestTarget = Pick<HttpRequest, 'path' | 'search' | 'parameters'>

/** A GET request without a body. */
export class DirectRequest extends MessageRequest implements HttpRequest {
  readonly #located: RequestTarget
  readonly #requestId: string

  constructor(
    message: IncomingMessage,
    located: RequestTarget,
    http: Pick<HttpInterface, 'proxies' | 'requestId'>,
  ) {
    super(message, http.proxies)
    this.#located = located
    this.#requestId = http.requestId(this.header('x-request-id'), this.peer)
  }

  get method(): string {
    return 'GET'
  }

  get path(): string {
    return this.#located.path
  }

  get search(): string {
    return this.#located.search
  }

  get parameters(): Readonly<Record<string, string>> {
    return this.#located.parameters
  }

  get requestId(): string {
    return this.#requestId
  }

  readBody(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array())
  }

  awaitBody(): Promise<void> {
    return Promise.resolve()
  }
}
