import type { IncomingMessage } from 'node:http'
import type { HttpInterface } from '../../http/http-interface.js'
import type { HttpRequest } from '../../http/message.js'
import { MessageRequest } from './message-request.js'

/** The request properties that are derived from the request target. */
export type Located = Pick<HttpRequest, 'path' | 'search' | 'parameters'>

/** A GET request without a body. */
export class DirectRequest extends MessageRequest implements HttpRequest {
  readonly method = 'GET'
  readonly path: string
  readonly search: string
  readonly parameters: Readonly<Record<string, string>>
  readonly requestId: string

  constructor(
    message: IncomingMessage,
    { path, search, parameters }: Located,
    http: Pick<HttpInterface, 'proxies' | 'requestId'>,
  ) {
    super(message, http.proxies)
    this.path = path
    this.search = search
    this.parameters = parameters
    this.requestId = http.requestId(this.header('x-request-id'), this.peer)
  }

  readBody(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array())
  }

  awaitBody(): Promise<void> {
    return Promise.resolve()
  }
}
