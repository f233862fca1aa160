import type { Milliseconds } from '../domain/instant.js'
import { unavailable, type Refusal } from '../domain/refusal.js'
import { crossOrigin } from './cross-origin.js'
import { isOffered, type EndpointParts } from './endpoint.js'
import { ENDPOINTS } from './endpoints.js'
import { ready } from './endpoints/health.js'
import type { Exchange, HttpReply, HttpRequest } from './message.js'
import { type HttpInterfaceParts, type HttpUseCases, registeredUseCases } from './parts.js'
import { createBoundary, httpFailure, NOTHING_HERE, UNREADABLE_TARGET } from './reply/failure.js'
import { fixedHeaders, requestIdOf } from './reply/reply-headers.js'
import { reasonOf } from './request-log.js'
import { proxyNotices, type ProxiedRequest, trustedProxies } from './request/trusted-proxies.js'
import { createRoutes, type Route } from './routes.js'

const PROBE_TIMEOUT: Milliseconds = 2000

export type HttpInterface = ReturnType<typeof createHttpInterface>

/** The whole HTTP interface, independent of any host. Throws a TypeError for a malformed prefix. */
export function createHttpInterface(parts: HttpInterfaceParts) {
  const { settings, log, prefix = '', probeTimeout = PROBE_TIMEOUT } = parts
  const base = linkBase(settings.publicUrl, prefix)
  const endpoints = ENDPOINTS.filter((endpoint) => isOffered(endpoint, parts))
  const describe = async () =>
    (await import('./description/document.js')).apiDescription({ ...settings, publicUrl: base }, endpoints)
  const routes = createRoutes(endpoints, {
    ...parts,
    // The cast is safe, because `endpoints` contains no endpoint whose use cases are missing.
    useCases: registeredUseCases(parts.useCases) as HttpUseCases,
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
    requestId: (header: string | undefined, peer: string | undefined) =>
      requestIdOf(header, proxies.believes(peer)),
    /** The headers of every reply to this request. A host calls this method first, and appends `Vary` to an existing `Vary` header. */
    headersFor: (request: ProxiedRequest & Pick<HttpRequest, 'method'>): Readonly<Record<string, string>> => {
      notice(request)
      return settings.corsOrigins.length === 0 ? fixed : { ...fixed, ...cors.headers(request) }
    },
    /** The reply to a CORS preflight; `undefined` for other requests and for origins that are not listed. */
    preflight: (request: Pick<HttpRequest, 'method' | 'header'>) =>
      isClosed() ? undefined : cors.preflight(request),
    /** Never rejects: turns an error into a reply and logs the error. */
    answer: async (route: Route, exchange: Exchange): Promise<HttpReply> => {
      try {
        // The readiness endpoint has its own reply for a closed Kennel instance.
        if (isClosed() && route.path !== ready.path) throw closedRefusal()
        return await route.work(exchange)
      } catch (error) {
        if (!settings.production) exchange.reason = reasonOf(error, exchange, settings)
        return boundary.failed(error, exchange.request)
      }
    },
    /** The reply to a request without a route: 404, 405 with `Allow`, or the reply to `OPTIONS`. */
    unmatched: (request: HttpRequest): HttpReply => {
      const { method, path } = request
      if (isClosed()) return boundary.failed(closedRefusal(), request)
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

function closedRefusal(): Refusal {
  return unavailable('the Kennel instance was closed')
}

/** Known methods; any other method gets 405 on every path. */
const METHODS = ['HEAD', 'OPTIONS', 'GET', 'PUT', 'PATCH', 'POST', 'DELETE']

const OTHER_METHOD = httpFailure(405, 'This method is not allowed here; see the Allow header.')

/** Returns the prefix of links: the origin and the path at which another application mounts the service. */
function linkBase(publicUrl: string, prefix: string): string {
  if (prefix !== '' && !/^(?:\/[\w.~-]+)+$/.test(prefix))
    throw new TypeError('The prefix of the service must be a path such as /kennel, without a trailing /.')
  return `${publicUrl}${prefix}`
}
