import { KennelError } from './kennel-error.js'

/** The address of the service and how requests are sent. */
export type TransportOptions = {
  /** Address of the service, such as `https://pets.example`, without `/api` or `/v1`; empty for the origin of the page. */
  readonly baseUrl: string
  /** Sends requests; the `fetch` of the runtime by default. Pass a custom `fetch` to set time limits. */
  readonly fetch?: typeof globalThis.fetch
  /** Whether the service has no sessions (`IDENTITY_STATELESS`); the client then uses cookies only for email proofs. */
  readonly stateless?: boolean
  /** Stores the cookies, in memory by default. In a browser, the browser itself stores the cookie. */
  readonly cookieJar?: CookieJar
}

/** Headers that override the headers of a request; a header with the value `undefined` is not sent. */
export type OwnHeaders = Readonly<Record<string, string | undefined>>

export type Send = (path: string, init: RequestInit, own?: OwnHeaders) => Promise<Response>

export function createSend(options: TransportOptions): Send {
  const base = withoutSlashes(options.baseUrl)
  const place = placeOf(options)
  const jar = options.cookieJar ?? ('document' in globalThis ? undefined : createCookieJar())
  // Looks up the global `fetch` at each call, because instrumentation may replace it.
  const fetch: typeof globalThis.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request))
  return async (path, init, own = {}) => {
    const credentials = init.credentials ?? (options.stateless ? 'omit' : 'include')
    const cookies = credentials === 'omit' ? undefined : jar
    const isHere = () => path[0] === '/' && new URL(base + path, place).origin === new URL(place).origin
    const headers = headersOf(init, { ...own, Cookie: cookies?.get() || undefined }, isHere)
    const response = await sendOrFail(
      // The service never redirects. Following a redirect could send the credentials to another server.
      () => fetch(base + path, { redirect: 'error', ...init, credentials, headers }),
      init.signal,
    )
    for (const line of setCookies(response.headers)) cookies?.set(line)
    return response
  }
}

export function placeOf({ baseUrl }: TransportOptions): string {
  const { baseURI = 'http://here' } = (globalThis as { document?: { baseURI?: string } }).document ?? {}
  return new URL(`${withoutSlashes(baseUrl)}/`, baseURI).href
}

function withoutSlashes(url: string): string {
  return url.endsWith('/') ? withoutSlashes(url.slice(0, -1)) : url
}

/** Rejects header values with invalid characters, and rejects paths to another host, which must not get the credentials. */
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

async function sendOrFail(
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

/** Older browsers lack `getSetCookie`. Browsers store cookies themselves. */
function setCookies(headers: { getSetCookie?(): string[] }): readonly string[] {
  return headers.getSetCookie?.() ?? []
}

/** Stores the cookies of one origin for a runtime that does not store cookies. */
export type CookieJar = {
  /** Returns the value of the `Cookie` header, which is empty if there are no cookies. */
  get(): string
  /** Stores the cookie from one `Set-Cookie` line. */
  set(line: string): void
}

/**
 * Creates an in-memory cookie jar for one origin. Ignores attributes such as domain and path, because the service sets its cookies for the
 * whole origin.
 */
export function createCookieJar(now: () => number = Date.now): CookieJar {
  const kept = new Map<string, { value: string; until: number }>()
  return {
    get: () =>
      [...kept]
        .filter(([, { until }]) => until > now())
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; '),
    set: (line) => {
      const [pair = '', ...attributes] = line.split(';')
      const [name, value] = halves(pair)
      if (name === '') return
      // Attribute names are case-insensitive.
      const known = new Map(
        attributes.map((one) => halves(one.replace(/^[^=]*/, (part) => part.toLowerCase()))),
      )
      kept.set(name, { value, until: endOf(known, now()) })
    },
  }
}

function halves(text: string): [name: string, value: string] {
  const [name = '', ...rest] = text.split('=')
  return [withoutBlanks(name), withoutBlanks(rest.join('='))]
}

/** Trims SP and HTAB only: any other byte is part of the name (RFC 6265bis). */
function withoutBlanks(text: string): string {
  return /[^ \t](.*[^ \t])?/s.exec(text)?.[0] ?? ''
}

function endOf(attributes: ReadonlyMap<string, string>, now: number): number {
  const age = parseInt(attributes.get('max-age') ?? '', 10)
  const end = Number.isNaN(age) ? Date.parse(attributes.get('expires') ?? '') : now + age * 1000
  return Number.isNaN(end) ? Infinity : end
}
