import bodyParser from 'koa-bodyparser'
import type { HttpRequest } from '../../http/message.js'
import { bodyError } from '../../http/reply/http-error.js'
import { clientAddress } from '../../http/request/client-address.js'
import type { Context, Middleware } from './context.js'

/** A request as Koa has it. Nothing is looked up before it is asked for: hardly any request needs all of it. */
export class KoaRequest implements HttpRequest {
  readonly #ctx: Context
  readonly #trustProxy: number

  constructor(ctx: Context, trustProxy: number) {
    this.#ctx = ctx
    this.#trustProxy = trustProxy
  }

  get method(): string {
    return this.#ctx.method
  }

  get path(): string {
    return this.#ctx.path
  }

  get search(): string {
    return this.#ctx.querystring
  }

  get parameters(): Readonly<Record<string, string>> {
    return (this.#ctx['params'] ?? {}) as Readonly<Record<string, string>>
  }

  get requestId(): string {
    return this.#ctx.state.requestId ?? ''
  }

  get address(): string | undefined {
    const forwarded = this.header('x-forwarded-for')
    return clientAddress({ socket: this.#ctx.req.socket.remoteAddress, forwarded }, this.#trustProxy)
  }

  get userAgent(): string | undefined {
    return this.#ctx.req.headers['user-agent']
  }

  header(name: string): string | undefined {
    const value = this.#ctx.req.headers[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

  /** Node joins repeated headers, or drops all but the first: the raw ones tell. */
  headerValues(name: string): readonly string[] {
    const raw = this.#ctx.req.rawHeaders
    const values: string[] = []
    for (let index = 0; index < raw.length; index += 2) {
      const candidate = raw[index]
      if (candidate?.length === name.length && candidate.toLowerCase() === name)
        values.push(raw[index + 1] ?? '')
    }
    return values
  }

  get hasBody(): boolean {
    const { 'content-length': length, 'transfer-encoding': encoding } = this.#ctx.req.headers
    return encoding !== undefined || (length !== undefined && length !== '0')
  }

  async readBody(limit: number): Promise<Uint8Array> {
    await readerOf(limit)(this.#ctx, () => Promise.resolve())
    return this.#ctx.request.body as Uint8Array
  }
}

const readers = new Map<number, Middleware>()

/**
 * koa-bodyparser does the reading, the limit and the unpacking; it is asked for bytes of any type, because its own
 * decoding drops a byte order mark and accepts broken UTF-8.
 */
function readerOf(limit: number): Middleware {
  const known = readers.get(limit)
  if (known) return known
  const reader = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['*/*'] },
    textLimit: String(limit),
    ...AS_BYTES,
    onerror: (error) => {
      throw readingError(error)
    },
  }) as Middleware
  readers.set(limit, reader)
  return reader
}

/** An option of the reader below koa-bodyparser that its types do not name. */
const AS_BYTES: object = { encoding: false }

function readingError(error: Error & { status?: number }): Error {
  if (error.status === 413) return bodyError.tooLarge()
  if (error.status === 415) return bodyError.otherEncoding()
  return bodyError.unreadable()
}
