import type { Milliseconds } from '../domain/instant.js'
import { unavailable, type Refusal } from '../domain/refusal.js'
import { crossOrigin } from './cross-origin.js'
import { isOffered, type EndpointParts } from './endpoint.js'
import { ENDPOINTS } from './endpoints.js'
import { ready } from './endpoints/ready.js'
import type { Exchange } from './exchange.js'
import type { HttpReply, HttpRequest } from './message.js'
import type { HttpInterfaceParts, HttpUseCases } from './parts.js'
import { createBoundary } from './reply/boundary.js'
import { httpFailure } from './reply/failure.js'
import { NOTHING_HERE, UNREADABLE_TARGET } from './reply/http-error.js'
import { fixedHeaders, requestIdOf } from './reply/reply-headers.js'
import { proxyNotices, type ProxiedRequest } from './request/proxy-notices.js'
import { trustedProxies, type TrustedProxies } from './request/trusted-proxies.js'
import { createRoutes, type Route, type Routes } from './routes.js'

/** Longest that a readiness probe waits for the store, in milliseconds. */
const PROBE_TIMEOUT: Milliseconds = 2000

/** What a host does with a request: begin it, find its route, answer it. */
export type HttpInterface = Routes & {
  readonly proxies: TrustedProxies
  requestId(given: string | undefined, peer: string | undefined): string
  /** Comes first: what every reply to this request carries, whatever becomes of it. `Vary` adds to what is there. */
  headersFor(request: ProxiedRequest & Pick<HttpRequest, 'method'>): Readonly<Record<string, string>>
  /** The reply to a preflight of CORS, which no route is asked for. */
  preflight(request: Pick<HttpRequest, 'method' | 'header'>): HttpReply | undefined
  /** Never rejects: what goes wrong is a reply too, and the log is told of it. */
  answer(route: Route, exchange: Exchange): Promise<HttpReply>
  /** The reply where there is no route: 404, 405 with `Allow`, or what `OPTIONS` asks for. */
  unmatched(request: HttpRequest): HttpReply
}

/** The whole HTTP interface, independent of any host. Throws a TypeError for a prefix of another form. */
export function createHttpInterface(parts: HttpInterfaceParts): HttpInterface {
  const { settings, log, prefix = '', probeTimeout = PROBE_TIMEOUT } = parts
  const base = linkBase(settings.publicUrl, prefix)
  const endpoints = ENDPOINTS.filter((endpoint) => isOffered(endpoint, parts))
  // Its library is loaded only for those who ask.
  const describe = async () =>
    (await import('./description/document.js')).apiDescription({ ...settings, publicUrl: base }, endpoints)
  const routes = createRoutes(endpoints, {
    ...parts,
    // Of those that are absent the endpoints are as well.
    useCases: parts.useCases as HttpUseCases,
    probeTimeout,
    base,
    describe,
  } satisfies EndpointParts)
  const cors = crossOrigin(settings, routes.methods)
  const fixed = Object.fromEntries(fixedHeaders(settings.publicUrl))
  const boundary = createBoundary(log, settings)
  const isClosed = () => parts.isClosed?.() === true
  const proxies = trustedProxies(settings.trustProxy)
  const notice = proxyNotices(settings.trustProxy, proxies, log)
  return {
    ...routes,
    proxies,
    requestId: (given, peer) => requestIdOf(given, proxies.believes(peer)),
    headersFor: (request) => {
      notice(request)
      return settings.corsOrigins.length === 0 ? fixed : { ...fixed, ...cors.headers(request) }
    },
    preflight: (request) => (isClosed() ? undefined : cors.preflight(request)),
    answer: async (route, exchange) => {
      try {
        // Readiness tells it in its own words.
        if (isClosed() && route.path !== ready.path) throw closed()
        return await route.work(exchange)
      } catch (error) {
        return boundary.failed(error, exchange.request)
      }
    },
    unmatched: (request) => {
      const { method, path } = request
      if (isClosed()) return boundary.failed(closed(), request)
      if (path === '') return boundary.reply(httpFailure(400, UNREADABLE_TARGET), path)
      const allowed = routes.allowedAt(path)
      const known = METHODS.includes(method)
      if (known && allowed.length === 0) return boundary.reply(httpFailure(404, NOTHING_HERE), path)
      const headers = { Allow: allowed.join(', ') }
      if (method === 'OPTIONS') return { status: 200, body: '', headers }
      return { ...boundary.reply(OTHER_METHOD, path), headers }
    },
  }
}

function closed(): Refusal {
  return unavailable('what is served was closed')
}

/** Methods that mean something to HTTP; any other is not allowed, wherever it is sent. */
const METHODS = ['HEAD', 'OPTIONS', 'GET', 'PUT', 'PATCH', 'POST', 'DELETE']

const OTHER_METHOD = httpFailure(405, 'This method is not allowed here; see the Allow header.')

/** What the service's links begin with: the origin, and the path where another application has mounted it. */
function linkBase(publicUrl: string, prefix: string): string {
  if (prefix !== '' && !/^(?:\/[\w.~-]+)+$/.test(prefix))
    throw new TypeError('The prefix of the service must be a path such as /kennel, without a / at its end.')
  return `${publicUrl}${prefix}`
}
