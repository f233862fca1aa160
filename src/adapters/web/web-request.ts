import type { Milliseconds } from '../../domain/instant.js'
import type { HttpRequest } from '../../http/message.js'
import type { TrustedProxies } from '../../http/request/trusted-proxies.js'
import type { Arriving } from './arriving.js'
import { awaitBody, readBody } from './body.js'

/** What a handler knows of a request beside the Request itself. */
export type RequestContext = {
  readonly requestId: string
  /** The network address at the other end of the connection. */
  readonly address: string | undefined
  readonly proxies: TrustedProxies
  readonly bodyTimeout: Milliseconds
}

/** A Request as endpoints see it. It has no field of its own: a Kennel refuses one that it has no use for. */
export class WebRequest implements HttpRequest {
  readonly #method: string
  readonly #target: Target
  readonly #arriving: Arriving
  readonly #context: RequestContext
  readonly #isOfNext: boolean
  #parameters: Readonly<Record<string, string>> = {}
  #isBodyRead = false
  #address: { readonly found: string | undefined } | undefined

  constructor(request: Request, target: Target, arriving: Arriving, context: RequestContext) {
    this.#method = request.method
    this.#isOfNext = 'nextUrl' in request
    this.#target = target
    this.#arriving = arriving
    this.#context = context
  }

  get method(): string {
    return this.#method
  }

  get path(): string {
    return this.#target.path
  }

  get search(): string {
    return this.#target.search
  }

  get parameters(): Readonly<Record<string, string>> {
    return this.#parameters
  }

  get requestId(): string {
    return this.#context.requestId
  }

  get hasBody(): boolean {
    return this.#arriving.hasBody
  }

  /** The reply leaves a body unread: the rest of it may still come, so the connection cannot carry another request. */
  get isBodyUnread(): boolean {
    return this.hasBody && !this.#isBodyRead
  }

  /** Its route was found, with these parts of the path. */
  routed(parameters: Readonly<Record<string, string>>): void {
    this.#parameters = parameters
  }

  /** It is answered. */
  left(): void {
    this.#arriving.leave()
  }

  get peer(): string | undefined {
    return this.#context.address
  }

  get address(): string | undefined {
    const { address: peer, proxies } = this.#context
    this.#address ??= {
      found: proxies.clientAddress({ peer, forwarded: this.header('x-forwarded-for') }),
    }
    return this.#address.found
  }

  get userAgent(): string | undefined {
    return this.#arriving.headers.get('user-agent') ?? undefined
  }

  /** Next.js compresses replies itself, and of one that is compressed it sends the bytes without their header. */
  header(name: string): string | undefined {
    if (this.#isOfNext && name === 'accept-encoding') return undefined
    return this.#arriving.headers.get(name) ?? undefined
  }

  /** Repeated headers have been joined; no value that is asked for in this way has a comma and a blank of its own. */
  headerValues(name: string): readonly string[] {
    return this.header(name)?.split(', ') ?? []
  }

  async readBody(limit: number): Promise<Uint8Array> {
    const bytes = await readBody(this.#arriving, { limit, timeout: this.#context.bodyTimeout })
    this.#isBodyRead = true
    return bytes
  }

  async awaitBody(): Promise<void> {
    await awaitBody(this.#arriving, this.#context.bodyTimeout)
    this.#isBodyRead = true
  }
}

/** The path below a prefix and what follows the `?`, as they were sent. */
export type Target = { readonly path: string; readonly search: string }

/** The path of requests outside of the prefix: no endpoint has it. */
const OUTSIDE = 'outside'

/** The path is empty if the platform cannot read the address of the request. */
export function targetOf(request: Pick<Request, 'url'>, prefix: string): Target {
  const url = urlOf(request)
  if (url === undefined) return { path: '', search: '' }
  const [whole = ''] = url.split('#', 1)
  const begin = whole.indexOf('/', whole.indexOf('://') + 3)
  const query = whole.indexOf('?', begin)
  const path = whole.slice(begin, query < 0 ? undefined : query)
  const search = query < 0 ? '' : whole.slice(query + 1)
  if (path === prefix) return { path: '/', search }
  return { path: path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : OUTSIDE, search }
}

/** A platform may parse it only when it is read, and throw then. */
function urlOf(request: Pick<Request, 'url'>): string | undefined {
  try {
    return request.url
  } catch {
    return undefined
  }
}
