import { guardedLog } from '../../application/guarded-observers.js'
import type { Milliseconds } from '../../domain/instant.js'
import { suggestionFor } from '../../domain/messages.js'
import { isPositiveInteger } from '../../domain/parsed.js'
import { registerDirect } from '../../http/direct-parts.js'
import { type Exchange, JSON_TYPE, type HttpReply } from '../../http/message.js'
import { createHttpInterface, type HttpInterface } from '../../http/http-interface.js'
import { failureBody, failureOf } from '../../http/reply/failure.js'
import { bareHeaders, mergedHeaders, setCookie } from '../../http/reply/reply-headers.js'
import { isObserved, UNMATCHED, requestMethod, reportRequest } from '../../http/request-log.js'
import type {
  HttpSettings,
  SessionCookieSettings,
  OfferedHttpUseCases,
  RequestObservers,
} from '../../http/parts.js'
import { SILENT_LOG, type Log } from '../../ports/log.js'
import type { Metrics, CompletedRequest } from '../../ports/metrics.js'
import { incomingBodyOf } from './body.js'
import { targetOf, WebRequest } from './web-request.js'

/** A `Kennel` from `openKennel`, or use cases that were assembled manually. */
type ServedKennel = OfferedHttpUseCases & {
  readonly httpSettings: HttpSettings
  /** Default log of the handler. */
  readonly log?: Log
  /** Whether `close` was called. */
  readonly closed: boolean
  /** Resolves if the store responds. */
  ready(): Promise<void>
}

/** Options of a handler, with times in milliseconds. */
type HandlerOptions = {
  /** Receives a line for each request at level `info`, and a line for each error; by default, the log of the `Kennel` object is used. */
  readonly log?: Log
  /** Counts each request. */
  readonly metrics?: Metrics
  /** The path prefix of the service, such as `/kennel`; request paths and links begin with it. */
  readonly prefix?: string
  /** Time within which the body of a request must arrive, 30 seconds by default; otherwise the reply is 408. */
  readonly bodyTimeout?: Milliseconds
  /** Timeout for a readiness probe, 2 seconds by default. */
  readonly probeTimeout?: Milliseconds
}

/** Information about a request's connection, as the platform provides it. */
type ConnectionInfo = {
  /** Network address of the peer, for rate limits and the audit log. */
  readonly address?: string | undefined
}

/** Replies to a web request; never rejects. */
export type Handler = (request: Request, info?: ConnectionInfo | null) => Promise<Response>

/**
 * Creates a handler that serves the whole service as a function from `Request` to `Response`, with the same replies as the Koa service.
 * Throws a TypeError if `kennel` is not an open Kennel instance, if an option is unknown, if the prefix is malformed, or if `bodyTimeout`
 * is not a positive integer below 2^31.
 *
 * @example
 * ```ts
 * import type { Kennel } from 'kennel-id'
 * import { createHandler } from 'kennel-id/web'
 *
 * declare const kennel: Kennel
 *
 * const handler = createHandler(kennel)
 * export const GET = (request: Request) => handler(request)
 * export const POST = GET
 * ```
 */
export function createHandler(kennel: ServedKennel, options: HandlerOptions = {}): Handler {
  assertArguments(kennel, options)
  const ownLog = kennel.log ?? SILENT_LOG
  const log = options.log ? guardedLog(options.log, ownLog) : ownLog
  const { metrics, prefix = '', bodyTimeout = 30_000 } = options
  if (!isPositiveInteger(bodyTimeout) || bodyTimeout > TIMER_MAX)
    throw new TypeError('bodyTimeout must be a number of milliseconds: a positive integer below 2^31.')
  const { httpSettings: settings } = kennel
  const http = createHttpInterface({
    ...options,
    useCases: kennel,
    settings,
    readiness: () => kennel.ready(),
    isClosed: () => kennel.closed,
    log,
  })
  const respond = createResponder(settings.cookie)
  const observers = { log, metrics }

  async function exchangeOf(request: Request, info: ConnectionInfo | null | undefined): Promise<WebExchange> {
    // A platform may pass an object whose `address` is not a string.
    const address = typeof info?.address === 'string' ? info.address : undefined
    const context = {
      requestId: http.requestId(request.headers.get('x-request-id') ?? undefined, address),
      address,
      proxies: http.proxies,
      bodyTimeout,
    }
    const incoming = await incomingBodyOf(request, bodyTimeout)
    return { request: new WebRequest(request, targetOf(request, prefix), incoming, context) }
  }

  const handler: Handler = async (request, info) => {
    try {
      const exchange = await exchangeOf(request, info)
      const work = async () => {
        const headers = http.headersFor(exchange.request)
        const reply = await replyTo(http, exchange)
        exchange.request.left()
        return respond(reply, exchange.request, headers)
      }
      if (!isObserved(observers)) return await work()
      const route = http.patternAt(exchange.request.path) ?? UNMATCHED
      return await withReport({ observers, route, exchange }, request.signal, work)
    } catch (error) {
      log.error('reply failed', { error })
      const { path } = targetOf(request, prefix)
      const body = failureBody(failureOf(error, path), path)
      const headers = { ...bareHeaders(settings.publicUrl), ...(request.body && { Connection: 'close' }) }
      return Response.json(body, { status: 500, headers })
    }
  }
  return registerDirect(handler, { ...observers, http, prefix })
}

const OPTIONS = [
  'log',
  'metrics',
  'prefix',
  'bodyTimeout',
  'probeTimeout',
] as const satisfies readonly (keyof HandlerOptions)[]

/** Checks the arguments of untyped callers, for example a promise from `openKennel` or a misspelled option. */
function assertArguments(kennel: Partial<ServedKennel> | undefined, options: HandlerOptions): void {
  if (typeof kennel?.httpSettings !== 'object')
    throw new TypeError('createHandler needs an open Kennel instance: await openKennel, and pass its result.')
  const name = Object.keys(options).find((one) => !OPTIONS.some((option) => option === one))
  if (name === undefined) return
  const meant = suggestionFor(name, OPTIONS)
  const question = meant === undefined ? '' : `; did you mean ${meant}?`
  throw new TypeError(`${name} is not a valid option of createHandler${question}`)
}

/** Maximum delay of a JavaScript timer; timers with a longer delay fire immediately. */
const TIMER_MAX: Milliseconds = 2 ** 31 - 1

type WebExchange = Exchange & { readonly request: WebRequest }

async function replyTo(http: HttpInterface, exchange: WebExchange): Promise<HttpReply> {
  const { request } = exchange
  const found = http.find(request.method, request.path)
  if (!found) return http.preflight(request) ?? http.unmatched(request)
  request.routed(found.parameters)
  return await http.answer(found.route, exchange)
}

/** Reports the request once: when the reply is ready, or when the client hangs up earlier. */
async function withReport(
  { observers, route, exchange }: { observers: RequestObservers; route: string; exchange: Exchange },
  signal: AbortSignal,
  work: () => Promise<Response>,
): Promise<Response> {
  const begun = performance.now()
  let isReported = false
  const report = (status: CompletedRequest['status']) => {
    if (isReported) return
    isReported = true
    const method = requestMethod(exchange.request.method)
    reportRequest(observers, { method, route, status, duration: performance.now() - begun }, exchange)
  }
  const leave = () => report('aborted')
  signal.addEventListener('abort', leave, { once: true })
  const response = await work()
  signal.removeEventListener('abort', leave)
  report(signal.aborted ? 'aborted' : response.status)
  return response
}

/** Builds the `Response` for a reply, without a body for HEAD requests. The headers in `fixed` are sent with every reply. */
type Responder = (
  reply: HttpReply,
  request: Pick<WebRequest, 'method' | 'requestId' | 'isBodyUnread'>,
  fixed: Readonly<Record<string, string>>,
) => Response

function createResponder(settings: SessionCookieSettings): Responder {
  const cookie = setCookie(settings)
  return (reply, { method, requestId, isBodyUnread }, fixed) => {
    const { status, session, type = JSON_TYPE } = reply
    const headers = mergedHeaders({ ...fixed, 'X-Request-Id': requestId }, reply)
    // The rest of the request body may still arrive (RFC 9112, 9.3).
    if (isBodyUnread) headers['Connection'] = 'close'
    if (session !== undefined)
      headers['Set-Cookie'] =
        session === 'ended' ? cookie.cleared : cookie.issued(session.sessionKey, session.maxAge)
    const bytes = bytesOf(reply)
    if (!bytes) return new Response(null, { status, headers })
    headers['Content-Length'] = String(bytes.byteLength)
    if (bytes.byteLength > 0) headers['Content-Type'] = type
    return new Response(method === 'HEAD' || bytes.byteLength === 0 ? null : bytes, { status, headers })
  }
}

const utf8 = new TextEncoder()

/** Converts text to bytes, because the platform adds its own `Content-Type` to text. */
function bytesOf({ body }: HttpReply): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
  return utf8.encode(typeof body === 'string' ? body : JSON.stringify(body))
}
