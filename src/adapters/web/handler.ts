import type { Milliseconds } from '../../domain/instant.js'
import { isPositiveInteger } from '../../domain/positive-integer.js'
import type { Exchange } from '../../http/exchange.js'
import { createHttpInterface, type HttpInterface } from '../../http/http-interface.js'
import type { HttpReply } from '../../http/message.js'
import { failureBody, failureOf } from '../../http/reply/failure.js'
import { bareHeaders } from '../../http/reply/reply-headers.js'
import { isObserved, UNMATCHED, requestMethod, tellRequest } from '../../http/request-log.js'
import type { HttpSettings } from '../../http/settings.js'
import type { OfferedHttpUseCases } from '../../http/parts.js'
import { SILENT_LOG, type Log } from '../../ports/log.js'
import type { Metrics, CompletedRequest } from '../../ports/metrics.js'
import { arrivingOf } from './arriving.js'
import { targetOf, WebRequest } from './web-request.js'
import { createResponder } from './web-response.js'
import type { RequestObservers } from '../../http/parts.js'

/** What is served: a Kennel of `openKennel`, or use cases that were composed by hand with what tells of them. */
type ServedKennel = OfferedHttpUseCases & {
  readonly httpSettings: HttpSettings
  /** Gets the lines of a handler that has no log. */
  readonly log?: Log
  /** Whether `close` was called. */
  readonly closed: boolean
  /** Resolves while the store answers. */
  ready(): Promise<void>
}

/** How requests are answered; times in milliseconds. */
type HandlerOptions = {
  /** Gets a line for each request at `info`, and a line for each error; the log of the Kennel by default. */
  readonly log?: Log
  /** Is told of each request. */
  readonly metrics?: Metrics
  /** The path below which the service is, such as `/kennel`: requests come with it, and links begin with it. */
  readonly prefix?: string
  /** For the body of a request to arrive, 30 seconds by default; 408 after it. */
  readonly bodyTimeout?: Milliseconds
  /** For which a readiness probe waits, 2 seconds by default. */
  readonly probeTimeout?: Milliseconds
}

/** What the platform knows of a connection. */
type ConnectionInfo = {
  /** The network address at its other end, which throttling and the audit log go by. */
  readonly address?: string | undefined
}

/** Never rejects. */
export type Handler = (request: Request, info?: ConnectionInfo | null) => Promise<Response>

/**
 * The whole service as one function from Request to Response, for every platform that has these. Its replies are those
 * of the Koa service. Throws a TypeError for a prefix that is no path such as `/kennel`, and for a `bodyTimeout` that no timer
 * can wait for.
 */
export function createHandler(kennel: ServedKennel, options: HandlerOptions = {}): Handler {
  const { log = kennel.log ?? SILENT_LOG, metrics, prefix = '', bodyTimeout = 30_000 } = options
  if (!isPositiveInteger(bodyTimeout) || bodyTimeout > TIMER_MAX)
    throw new TypeError('bodyTimeout must be milliseconds: a positive integer below 2^31.')
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
    // A platform may hand over something else, with an address of another kind.
    const address = typeof info?.address === 'string' ? info.address : undefined
    const context = {
      requestId: http.requestId(request.headers.get('x-request-id') ?? undefined, address),
      address,
      proxies: http.proxies,
      bodyTimeout,
    }
    const arriving = await arrivingOf(request, bodyTimeout)
    return { request: new WebRequest(request, targetOf(request, prefix), arriving, context) }
  }

  return async (request, info) => {
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
      return await observed({ observers, route, exchange }, request.signal, work)
    } catch (error) {
      log.error('reply failed', { error })
      const { path } = targetOf(request, prefix)
      const body = failureBody(failureOf(error, path), path)
      const headers = { ...bareHeaders(settings.publicUrl), ...(request.body && { Connection: 'close' }) }
      return Response.json(body, { status: 500, headers })
    }
  }
}

/** A timer of JavaScript ends at once where it should wait for longer. */
const TIMER_MAX: Milliseconds = 2 ** 31 - 1

type WebExchange = Exchange & { readonly request: WebRequest }

async function replyTo(http: HttpInterface, exchange: WebExchange): Promise<HttpReply> {
  const { request } = exchange
  const found = http.find(request.method, request.path)
  if (!found) return http.preflight(request) ?? http.unmatched(request)
  request.routed(found.parameters)
  return await http.answer(found.route, exchange)
}

/** Waits for the answer to a request and tells of it, once: when it is there, or its client hangs up before. */
async function observed(
  { observers, route, exchange }: { observers: RequestObservers; route: string; exchange: Exchange },
  signal: AbortSignal,
  work: () => Promise<Response>,
): Promise<Response> {
  const begun = performance.now()
  let isTold = false
  const tell = (status: CompletedRequest['status']) => {
    if (isTold) return
    isTold = true
    const method = requestMethod(exchange.request.method)
    tellRequest(observers, { method, route, status, duration: performance.now() - begun }, exchange)
  }
  const leave = () => {
    tell('aborted')
  }
  signal.addEventListener('abort', leave, { once: true })
  const response = await work()
  signal.removeEventListener('abort', leave)
  tell(signal.aborted ? 'aborted' : response.status)
  return response
}
