import { HostClient } from '../../application/client-context.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { HttpRequest } from '../../http/message.js'
import type { TrustedProxies } from '../../http/request/trusted-proxies.js'
import { type IncomingBody, awaitBody, readBody } from './body.js'

export type RequestContext = {
  readonly requestId: string
  readonly address: string | undefined
  readonly proxies: TrustedProxies
  readonly bodyTimeout: Milliseconds
}

export class WebRequest extends HostClient implements HttpRequest {
  readonly #method: string
  readonly #target: Target
  readonly #body: IncomingBody
  readonly #context: RequestContext
  readonly #isOfNext: boolean
  #parameters: Readonly<Record<string, string>> = {}
  #isBodyRead = false
  #address: { readonly found: string | undefined } | undefined

  constructor(request: Request, target: Target, body: IncomingBody, context: RequestContext) {
    super()
    this.#method = request.method
    this.#isOfNext = 'nextUrl' in request
    this.#target = target
    this.#body = body
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
    return this.#body.hasBody
  }

  /** Whether the request has a body that was not read. After an unread body, the connection cannot be reused for a further request. */
  get isBodyUnread(): boolean {
    return this.hasBody && !this.#isBodyRead
  }

  routed(parameters: Readonly<Record<string, string>>): void {
    this.#parameters = parameters
  }

  /** Must be called after the reply. */
  left(): void {
    this.#body.leave()
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
    return this.#body.headers.get('user-agent') ?? undefined
  }

  /** Next.js compresses replies itself, and drops the `Content-Encoding` header of a reply that is already compressed. */
  header(name: string): string | undefined {
    if (this.#isOfNext && name === 'accept-encoding') return undefined
    return this.#body.headers.get(name) ?? undefined
  }

  /**
   * The platform joins the values of repeated headers with a comma and a space. Used only for headers whose individual values contain no
   * comma followed by a space.
   */
  headerValues(name: string): readonly string[] {
    return this.header(name)?.split(', ') ?? []
  }

  async readBody(limit: number): Promise<Uint8Array> {
    const bytes = await readBody(this.#body, { limit, timeout: this.#context.bodyTimeout })
    this.#isBodyRead = true
    return bytes
  }

  async awaitBody(): Promise<void> {
    await awaitBody(this.#body, this.#context.bodyTimeout)
    this.#isBodyRead = true
  }
}

/** The path after the prefix and the query without `?`, both undecoded. */
export type Target = { readonly path: string; readonly search: string }

/** Path of requests outside the prefix; no endpoint has this path. */
const OUTSIDE = 'outside'

/** The path is empty if the platform cannot parse the URL of the request. */
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

/** On some platforms, this getter parses the URL and throws if it is malformed. */
function urlOf(request: Pick<Request, 'url'>): string | undefined {
  try {
    return request.url
  } catch {
    return undefined
  }
}
