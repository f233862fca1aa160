import { createCookieJar, type CookieJar } from './cookie-jar.js'
import { KennelError } from './kennel-error.js'

/** How requests reach the service. */
export type TransportOptions = {
  /** Where the service is, such as `https://pets.example`, without `/api` or `/v1`; empty: where the page is from. */
  readonly baseUrl: string
  /** Sends requests; the runtime's own `fetch`. The place for time limits. */
  readonly fetch?: typeof globalThis.fetch
  /** The service has no sessions (`IDENTITY_STATELESS`): no cookie is sent or kept. */
  readonly stateless?: boolean
  /** Keeps the session cookie; one in memory, but in browsers, which keep it themselves. */
  readonly cookieJar?: CookieJar
}

/** Headers that replace those of a request; what is undefined is not sent. */
export type OwnHeaders = Readonly<Record<string, string | undefined>>

/** Sends one request to a path of the service. */
export type Send = (path: string, init: RequestInit, own?: OwnHeaders) => Promise<Response>

export function createSend(options: TransportOptions): Send {
  const base = withoutSlashes(options.baseUrl)
  const place = placeOf(options)
  const jar = jarOf(options)
  // Looked up at each call, as instrumentation may replace it.
  const fetch: typeof globalThis.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request))
  return async (path, init, own = {}) => {
    const cookies = init.credentials === 'omit' ? undefined : jar
    const isHere = () => path[0] === '/' && new URL(base + path, place).origin === new URL(place).origin
    const headers = headersOf(init, { ...own, Cookie: cookies?.get() || undefined }, isHere)
    const credentials = options.stateless ? 'omit' : 'include'
    const response = await reached(
      // A redirect would take the credentials along to wherever it leads; the service has none.
      () => fetch(base + path, { credentials, redirect: 'error', ...init, headers }),
      init.signal,
    )
    for (const line of setCookies(response.headers)) cookies?.set(line)
    return response
  }
}

/** The address of the service, the same for every way to write it. */
export function placeOf({ baseUrl }: TransportOptions): string {
  const { baseURI = 'http://here' } = (globalThis as { document?: { baseURI?: string } }).document ?? {}
  return new URL(`${withoutSlashes(baseUrl)}/`, baseURI).href
}

function withoutSlashes(url: string): string {
  return url.endsWith('/') ? withoutSlashes(url.slice(0, -1)) : url
}

function jarOf({ stateless, cookieJar }: TransportOptions): CookieJar | undefined {
  if (stateless) return undefined
  return cookieJar ?? ('document' in globalThis ? undefined : createCookieJar())
}

/**
 * A caller, or a stranger that sent a token, may have text that cannot stand in a header. A path may lead to another host,
 * and then the credentials must not follow it.
 */
function headersOf(init: RequestInit, own: OwnHeaders, isHere: () => boolean): Headers {
  try {
    if (!isHere()) throw new Error('path')
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(own)) if (value !== undefined) headers.set(name, value)
    return headers
  } catch (cause) {
    throw new KennelError('NotValid', { cause })
  }
}

async function reached(
  fetched: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  try {
    return await fetched()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new KennelError('network', { cause })
  }
}

/** Older runtimes do not have the method; they keep cookies themselves. */
function setCookies(headers: { getSetCookie?(): string[] }): readonly string[] {
  return headers.getSetCookie?.() ?? []
}
