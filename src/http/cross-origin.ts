import type { HttpReply, HttpRequest, Stage } from './message.js'
import { EXPOSED_HEADERS } from './reply/reply-headers.js'
import type { HttpSettings } from './parts.js'
import { refuse, type Refusal } from '../domain/refusal.js'

type Headers = Readonly<Record<string, string>>
type CorsRequest = Pick<HttpRequest, 'method' | 'header'>

/** How many seconds a browser may cache a preflight reply. */
const MAX_AGE = '600'

const ASKED_HEADERS = 'Access-Control-Request-Headers'
/** If the list of requested headers exceeds this length, no header is allowed, because a proxy might reject a reply that is too large. */
const ASKED_MAX = 4096
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** CORS with credentials (Fetch, 3.2), only for the listed origins, which are echoed exactly. */
export function crossOrigin({ corsOrigins }: Pick<HttpSettings, 'corsOrigins'>, methods: readonly string[]) {
  const allowed = {
    Vary: `Origin, ${ASKED_HEADERS}`,
    'Access-Control-Max-Age': MAX_AGE,
    'Access-Control-Allow-Methods': methods.join(','),
  }
  const others = { Vary: 'Origin' }
  const exposed = { 'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(',') }
  const isPreflight = (request: CorsRequest) => (request.header('access-control-request-method') ?? '') !== ''
  return {
    headers: (request: CorsRequest): Headers => {
      const origin = request.header('origin') ?? ''
      const isShared = request.method !== 'OPTIONS' || isPreflight(request)
      if (!isShared || !corsOrigins.includes(origin)) return others
      return {
        ...others,
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        ...(request.method === 'OPTIONS' ? { ...allowed, ...allowedHeaders(request) } : exposed),
      }
    },
    preflight: (request: CorsRequest): HttpReply | undefined => {
      const isAsked = request.method === 'OPTIONS' && isPreflight(request)
      return isAsked && corsOrigins.includes(request.header('origin') ?? '') ? { status: 204 } : undefined
    },
  }
}

/**
 * Allows every requested header, because browsers and tracing libraries add headers such as `traceparent` that the service ignores. A name
 * that is not a token (RFC 9110, 5.6.2) is omitted.
 */
function allowedHeaders(request: CorsRequest): Headers {
  const asked = request.header(ASKED_HEADERS.toLowerCase()) ?? ''
  if (asked.length > ASKED_MAX) return {}
  const names = asked.split(',').map((name) => name.trim())
  const allowed = [...new Set(names)].filter((name) => TOKEN.test(name))
  return allowed.length === 0 ? {} : { 'Access-Control-Allow-Headers': allowed.join(',') }
}

type Settings = Pick<HttpSettings, 'publicUrl' | 'production' | 'corsOrigins'>

/**
 * Protects endpoints without a bearer header, such as login, from cross-site request forgery: `Origin` must be the service's own origin or
 * a listed origin, and with `Sec-Fetch-Site: cross-site` it must be a listed origin.
 */
export function originGuard({ publicUrl, production, corsOrigins }: Settings): Stage {
  const ours = ownOrigins(publicUrl, production)
  return ({ request }) => {
    const origin = request.header('origin') ?? ''
    const listed = corsOrigins.includes(origin)
    if (origin !== '' && !ours.includes(origin) && !listed) throw forbiddenOrigin(origin)
    if (request.header('sec-fetch-site') === 'cross-site' && !listed) throw forbiddenSite()
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Returns the origin of the public URL and, outside production, the two other names of a loopback origin. */
function ownOrigins(publicUrl: string, production: boolean): readonly string[] {
  const { protocol, hostname, port, origin } = new URL(publicUrl)
  if (production || !LOOPBACK.includes(hostname)) return [origin]
  return LOOPBACK.map((name) => new URL(`${protocol}//${name}:${port}`).origin)
}

/** Only a well-formed `Origin` of limited length appears in messages. */
const NAMED = /^[a-z][a-z0-9+.-]{0,31}:\/\/[\w.:[\]-]{1,260}$/i

/** Returns a refusal that names the rejected origin and the settings that would accept that origin. */
function forbiddenOrigin(origin: string): Refusal {
  const named = NAMED.test(origin) ? `the origin ${origin}` : 'this origin'
  const message = `Requests from ${named} are not accepted: the origin must be the origin of PUBLIC_URL, or be listed in CORS_ORIGINS.`
  return refuse('forbidden', 'Forbidden', message, 'origin check')
}

function forbiddenSite(): Refusal {
  const message = 'Requests from another site are not accepted, unless CORS_ORIGINS lists its origin.'
  return refuse('forbidden', 'Forbidden', message, 'origin check')
}
