import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DirectParts } from '../../http/direct-parts.js'
import { JSON_TYPE, type HttpReply, type HttpRequest } from '../../http/message.js'
import { mergedHeaders } from '../../http/reply/reply-headers.js'
import type { Route } from '../../http/routes.js'
import { createRequestObserver, MessageRequest } from './message-request.js'
import { announcesBody } from './connection.js'
import type { HttpInterface } from '../../http/http-interface.js'

/** Replies to a plain GET without a framework and returns true, or returns false without side effects. */
export type DirectReplies = (req: IncomingMessage, res: ServerResponse, target?: string) => boolean

type ReplyHeaders = Readonly<Record<string, string>>

/** Renames or reorders the reply headers. */
type Arrange = (headers: ReplyHeaders) => ReplyHeaders | string[]

/** Matches targets that need no decoding, because they contain no escapes and no `.` or `..` segments. */
const PLAIN_TARGET = /^(?:\/\.?[\w-][\w.-]*)+(?:\?[\w.=&-]*)?$/

/**
 * Replies to GET requests without a body directly from the endpoint, without the CPU time of a middleware stack or of `Request` and
 * `Response` objects. Reply bytes, log lines and metrics are the same as without this shortcut. The shortcut relies on the fact that no
 * reply to a GET request sets a cookie. The caller handles all other requests.
 */
export function createDirectReplies(
  parts: DirectParts,
  arrange: Arrange = (headers) => headers,
): DirectReplies {
  const { http, log, prefix } = parts
  const observe = createRequestObserver(parts)

  async function reply(req: IncomingMessage, res: ServerResponse, found: MatchedRoute): Promise<void> {
    const state = { route: found.route.path, exchange: { request: new DirectRequest(req, found, http) } }
    observe({ req, res, state })
    const { request } = state.exchange
    const first = { ...http.headersFor(request), 'X-Request-Id': request.requestId }
    const answer = await http.answer(found.route, state.exchange)
    // Sends nothing if the client has hung up, or if the server has already rejected the request.
    if (!res.destroyed && !res.headersSent) send(res, first, answer, arrange)
  }

  function find(target: string): MatchedRoute | undefined {
    const below = target.slice(prefix.length)
    if (!target.startsWith(prefix) || !PLAIN_TARGET.test(below)) return undefined
    const query = below.indexOf('?')
    const path = query < 0 ? below : below.slice(0, query)
    const found = http.find('GET', path)
    if (!found) return undefined
    const search = query < 0 ? '' : below.slice(query + 1)
    return { route: found.route, parameters: found.parameters, path, search }
  }

  return (req, res, target = req.url ?? '') => {
    if (req.method !== 'GET' || req.httpVersionMajor !== 1 || announcesBody(req)) return false
    const found = find(target)
    // If the application has set headers, they must be merged, so the caller handles the request.
    if (!found || res.getHeaderNames().length > 0) return false
    reply(req, res, found).catch((error: unknown) => {
      log.error('reply failed', { error })
      res.destroy()
    })
    return true
  }
}

type MatchedRoute = RequestTarget & { readonly route: Route }

/** The sorted names of headers. The list of lists stays short, because clients do not control the names of reply headers. */
const sortedNames = new Map<string, readonly (readonly [lower: string, name: string])[]>()

/** Returns a list of alternating names and values, with sorted lower-case names as in `Headers`. */
export function asHeaders(headers: ReplyHeaders): string[] {
  const names = Object.keys(headers)
  const key = names.join()
  const sorted = sortedNames.get(key) ?? names.map((name) => [name.toLowerCase(), name] as const).sort()
  sortedNames.set(key, sorted)
  const list: string[] = []
  for (const [lower, name] of sorted) list.push(lower, headers[name] ?? '')
  return list
}

/** Sends the headers and the body in one write. */
function send(res: ServerResponse, first: ReplyHeaders, reply: HttpReply, arrange: Arrange): void {
  const { status, type = JSON_TYPE, body } = reply
  const all = mergedHeaders(first, reply)
  if (body === undefined) {
    res.writeHead(status, arrange(all)).end()
    return
  }
  const content = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const length = Buffer.byteLength(content)
  all['Content-Type'] = type
  all['Content-Length'] = String(length)
  // If each character takes one byte, the text is ASCII, which Node writes faster with the encoding Latin-1.
  res.writeHead(status, arrange(all)).end(content, length === content.length ? 'latin1' : 'utf8')
}

type RequestTarget = Pick<HttpRequest, 'path' | 'search' | 'parameters'>

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
