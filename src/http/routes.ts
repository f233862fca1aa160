import type { Endpoint, EndpointParts } from './endpoint.js'
import { inOrder, type Stage, type Work } from './message.js'
import { jsonBody } from './request/json-body.js'

export type Route = Pick<Endpoint, 'method' | 'path'> & { readonly work: Work }

/** The routing table, for hosts with and without a router. Compares paths exactly, including case and a trailing `/`. */
export function createRoutes(endpoints: readonly Endpoint[], parts: EndpointParts) {
  const routes = endpoints.map((endpoint): Route => {
    const { method, path, stages, body, work } = endpoint
    const before = stages?.(parts, body ? jsonBody(body, parts.settings) : withoutBody) ?? []
    return { method, path, work: inOrder([...before, ...arrivals(endpoint)], work(parts)) }
  })
  const paths = [...new Set(routes.map(({ path }) => path))].map((path) => matchRoutes(path, routes))
  const plain = new Map(paths.filter(({ names }) => names.length === 0).map((one) => [one.path, one]))
  const patterned = paths.filter(({ names }) => names.length > 0)
  // A path without parameters takes precedence over a matching pattern.
  const at = (path: string) => plain.get(path) ?? patterned.find(({ pattern }) => pattern.test(path))
  return {
    routes,
    methods: [...new Set(routes.flatMap(methodsOf))],
    /** A `HEAD` request uses the route of `GET`. */
    find: (method: string, path: string) => {
      const found = at(path)
      const sought = method === 'HEAD' ? 'GET' : method
      const route = found?.routes.find((one) => one.method === sought)
      return found && route && { route, parameters: parametersOf(found, path) }
    },
    /** Returns the pattern of a path, independent of the method; returns `undefined` for an unknown path. */
    patternAt: (path: string) => at(path)?.path,
    /** Returns the methods in the usual order of the `Allow` header. */
    allowedAt: (path: string) => at(path)?.routes.flatMap((route) => methodsOf(route).toReversed()) ?? [],
  }
}

const withoutBody = () => undefined

/** Waits for a body that the endpoint ignores, because an incomplete request must not change data. */
function arrivals({ method, body }: Endpoint): readonly Stage[] {
  if (method === 'GET' || body) return []
  return [({ request }) => (request.hasBody ? request.awaitBody() : undefined)]
}

function methodsOf({ method }: Route): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

type RouteMatch = {
  readonly path: string
  readonly routes: readonly Route[]
  readonly pattern: RegExp
  readonly names: readonly string[]
}

/** A parameter matches one non-empty segment. */
function matchRoutes(path: string, all: readonly Route[]): RouteMatch {
  const parts = path.split('/')
  const source = parts
    .map((part) => (part.startsWith(':') ? '([^/]+)' : part.replaceAll('.', '\\.')))
    .join('/')
  const names = parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
  return { path, routes: all.filter((one) => one.path === path), pattern: new RegExp(`^${source}$`), names }
}

function parametersOf({ pattern, names }: RouteMatch, path: string): Record<string, string> {
  const parameters: Record<string, string> = {}
  if (names.length === 0) return parameters
  const values = pattern.exec(path)
  names.forEach((name, index) => (parameters[name] = decodeSegment(values?.[index + 1] ?? '')))
  return parameters
}

/** Returns malformed text unchanged. */
function decodeSegment(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
