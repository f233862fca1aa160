import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa'
import bodyParser from 'koa-bodyparser'
import type { Exchange, HttpRequest, IssuedCookie } from '../../http/message.js'
import { bodyError } from '../../http/reply/failure.js'
import type { TrustedProxies } from '../../http/request/trusted-proxies.js'
import { MessageRequest } from '../node/message-request.js'

/** The state of one request in Koa's middleware. */
export type RequestState = {
  requestId?: string
  /** The pattern of the route that matches the path, whether or not the method also matches. */
  route?: string | undefined
  exchange?: Exchange & { readonly request: KoaRequest }
  /** The session cookie that a use case has just issued. */
  issuedCookie?: IssuedCookie
}

export type Context = ParameterizedContext<RequestState>
export type Middleware = KoaMiddleware<RequestState>

export class KoaRequest extends MessageRequest implements HttpRequest {
  readonly #ctx: Context
  #isBodyRead = false

  constructor(ctx: Context, proxies: TrustedProxies) {
    super(ctx.req, proxies)
    this.#ctx = ctx
  }

  get method(): string {
    return this.#ctx.method
  }

  /**
   * Returns an empty path for a malformed URL, because Koa may throw when it parses this URL. `path` may be `null`, contrary to the type
   * declarations.
   */
  get path(): string {
    const { url = '' } = this.#ctx.req
    const isReadable = url.startsWith('/') || url === '*' || URL.canParse(url)
    return isReadable ? this.#ctx.path || '' : ''
  }

  get search(): string {
    return this.#ctx.querystring
  }

  get parameters(): Readonly<Record<string, string>> {
    return (this.#ctx as { readonly params?: Readonly<Record<string, string>> }).params ?? {}
  }

  get requestId(): string {
    return this.#ctx.state.requestId ?? ''
  }

  /** Returns whether the request body is still unread; if so, the connection cannot be reused for another request. */
  get isBodyUnread(): boolean {
    return this.hasBody && !this.#isBodyRead
  }

  async readBody(limit: number): Promise<Uint8Array> {
    const isCompressed = this.header('content-encoding') !== undefined
    if (isCompressed) ignoreDecompressionErrors(this.#ctx.req)
    // koa-bodyparser reads only known content types and uses only these properties of a context.
    const reading = { req: this.#ctx.req, request: { is: () => 'text/plain', body: undefined } }
    await readerOf(limit)(reading as unknown as Context, () => Promise.resolve())
    // Decompression may end before the last bytes arrive, and until then, the server may still reject the request.
    if (isCompressed && !this.#ctx.req.complete) await this.awaitBody()
    this.#isBodyRead = true
    this.#refuseIfAnswered()
    return reading.request.body as unknown as Uint8Array
  }

  async awaitBody(): Promise<void> {
    try {
      await finished(this.#ctx.req.resume(), { writable: false })
      this.#isBodyRead = true
    } catch {
      throw bodyError.unreadable()
    }
    this.#refuseIfAnswered()
  }

  /** Throws if the server has already rejected the request as late or malformed, so that the request changes no data. */
  #refuseIfAnswered(): void {
    if (this.#ctx.res.headersSent) throw bodyError.unreadable()
  }
}

/** Handles errors of the stream that koa-bodyparser abandons if a body is too large; an unhandled error would end the process. */
function ignoreDecompressionErrors(req: IncomingMessage): void {
  const pipe = req.pipe.bind(req)
  req.pipe = (decompressing, options) =>
    pipe(
      decompressing.on('error', () => undefined),
      options,
    )
}

const readers = new Map<number, Middleware>()

/** Reads the body as bytes, because koa-bodyparser's decoder drops a byte order mark and accepts invalid UTF-8. */
function readerOf(limit: number): Middleware {
  const known = readers.get(limit)
  if (known) return known
  const reader = bodyParser({
    enableTypes: ['text'],
    textLimit: String(limit),
    ...AS_BYTES,
    onerror: (error) => {
      throw readingError(error)
    },
  }) as Middleware
  readers.set(limit, reader)
  return reader
}

/** A raw-body option that koa-bodyparser's type declarations omit. */
const AS_BYTES: object = { encoding: false }

function readingError(error: Error & { status?: number }): Error {
  if (error.status === 413) return bodyError.tooLarge()
  if (error.status === 415) return bodyError.otherEncoding()
  return bodyError.unreadable()
}
