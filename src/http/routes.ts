import type { Endpoint, EndpointParts } from './endpoint.js'
import { inOrder, type Stage, type Work } from './exchange.js'
import { jsonBody } from './request/json-body.js'

/** An endpoint that is ready to work. */
export type Route = Pick<Endpoint, 'method' | 'path'> & { readonly work: Work }

/** The routing table, for hosts with a router of their own and for those without. */
export type Routes = {
  readonly routes: readonly Route[]
  /** All methods that any of them has. */
  readonly methods: readonly string[]
  /** `HEAD` finds what `GET` does. */
  find(
    method: string,
    path: string,
  ): { readonly route: Route; readonly parameters: Readonly<Record<string, string>> } | undefined
  /** The pattern that a path is of, whatever the method; `undefined` where there is nothing. */
  patternAt(path: string): string | undefined
  /** The methods that a path has; none where there is nothing. */
  allowedAt(path: string): readonly string[]
}

/** Paths are compared to the letter, and a `/` at the end is another path. */
export function createRoutes(endpoints: readonly Endpoint[], parts: EndpointParts): Routes {
  const routes = endpoints.map((endpoint) => {
    const { method, path, stages, body, work } = endpoint
    const before = stages?.(parts, body ? jsonBody(body, parts.settings) : withoutBody) ?? []
    return { method, path, work: inOrder([...before, ...arrivals(endpoint)], work(parts)) }
  })
  const patterns = new Map(routes.map(({ path }) => [path, patternOf(path)]))
  // Most paths are found as they are; a template that fits one of those as well has no say there.
  const plain = new Map(routes.map(({ path }) => [path, routes.filter((one) => one.path === path)]))
  const at = (path: string) =>
    (path.includes(':') ? undefined : plain.get(path)) ??
    routes.filter((route) => patterns.get(route.path)?.test(path))
  return {
    routes,
    methods: [...new Set(routes.flatMap(methodsOf))],
    find: (method, path) => {
      const route = at(path).find((one) => methodsOf(one).includes(method))
      return route && { route, parameters: parametersOf(patterns.get(route.path), path) }
    },
    patternAt: (path) => at(path)[0]?.path,
    allowedAt: (path) => [...new Set(at(path).flatMap(allowedBy))],
  }
}

const withoutBody = () => undefined

/**
 * Nothing is changed by a request that did not arrive whole: its client is told that it could not be read. Endpoints that
 * read a body know that then.
 */
function arrivals({ method, body }: Endpoint): readonly Stage[] {
  if (method === 'GET' || body) return []
  return [({ request }) => (request.hasBody ? request.awaitBody() : undefined)]
}

function methodsOf({ method }: Route): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

/** In the order in which `Allow` has always named them. */
function allowedBy(route: Route): readonly string[] {
  return [...methodsOf(route)].reverse()
}

/** A parameter is one part of a path that is not empty. */
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

/** What cannot be decoded stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
