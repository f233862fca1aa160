import type { Endpoint, EndpointParts } from './endpoint.js'
import { inOrder, type Stage, type Work } from './exchange.js'
import { jsonBody } from './request/json-body.js'

/** An endpoint with its dependencies. */
export type Route = Pick<Endpoint, 'method' | 'path'> & { readonly work: Work }

/** The routing table, for hosts with and without a router. */
export type Routes = {
  readonly routes: readonly Route[]
  /** The methods of all routes. */
  readonly methods: readonly string[]
  /** `HEAD` finds the route of `GET`. */
  find(
    method: string,
    path: string,
  ): { readonly route: Route; readonly parameters: Readonly<Record<string, string>> } | undefined
  /** The pattern of a path, independent of the method; `undefined` for an unknown path. */
  patternAt(path: string): string | undefined
  /** The methods of a path; empty for an unknown path. */
  allowedAt(path: string): readonly string[]
}

/** Compares paths exactly, including case and a trailing `/`. */
export function createRoutes(endpoints: readonly Endpoint[], parts: EndpointParts): Routes {
  const routes = endpoints.map((endpoint) => {
    const { method, path, stages, body, work } = endpoint
    const before = stages?.(parts, body ? jsonBody(body, parts.settings) : withoutBody) ?? []
    return { method, path, work: inOrder([...before, ...arrivals(endpoint)], work(parts)) }
  })
  const patterned = routes.filter(({ path }) => path.includes(':'))
  const patterns = new Map(patterned.map(({ path }) => [path, patternOf(path)]))
  // A route without parameters takes precedence over a pattern that fits its path.
  const plain = new Map(routes.map(({ path }) => [path, routes.filter((one) => one.path === path)]))
  // Found with one look-up.
  const exact = new Map(
    routes
      .filter(({ path }) => !path.includes(':'))
      .flatMap((route) =>
        methodsOf(route).map((method) => [`${method} ${route.path}`, { route, parameters: {} }]),
      ),
  )
  const at = (path: string) =>
    (path.includes(':') ? undefined : plain.get(path)) ??
    patterned.filter((route) => patterns.get(route.path)?.test(path))
  return {
    routes,
    methods: [...new Set(routes.flatMap(methodsOf))],
    find: (method, path) => {
      const known = exact.get(`${method} ${path}`)
      if (known) return known
      const route = at(path).find((one) => methodsOf(one).includes(method))
      return route && { route, parameters: parametersOf(patterns.get(route.path), path) }
    },
    patternAt: (path) => at(path)[0]?.path,
    allowedAt: (path) => [...new Set(at(path).flatMap(allowedBy))],
  }
}

const withoutBody = () => undefined

/** Waits for a body that the endpoint ignores: an incomplete request must not change data. */
function arrivals({ method, body }: Endpoint): readonly Stage[] {
  if (method === 'GET' || body) return []
  return [({ request }) => (request.hasBody ? request.awaitBody() : undefined)]
}

function methodsOf({ method }: Route): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

/** The methods in the established order of `Allow`. */
function allowedBy(route: Route): readonly string[] {
  return [...methodsOf(route)].reverse()
}

/** A parameter matches one segment that is not empty. */
function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => (part.startsWith(':') ? `(?<${part.slice(1)}>[^/]+)` : part.replaceAll('.', '\\.')))
    .join('/')
  return new RegExp(`^${source}$`)
}

function parametersOf(pattern: RegExp | undefined, path: string): Record<string, string> {
  const groups = Object.entries(pattern?.exec(path)?.groups ?? {})
  return Object.fromEntries(groups.map(([name, value]) => [name, decoded(value)]))
}

/** Leaves malformed text undecoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
