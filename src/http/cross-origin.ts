import type { HttpReply, HttpRequest } from './message.js'
import { EXPOSED_HEADERS } from './reply/reply-headers.js'
import type { HttpSettings } from './settings.js'

type Headers = Readonly<Record<string, string>>
type CorsRequest = Pick<HttpRequest, 'method' | 'header'>

/** How many seconds a browser may cache a preflight reply. */
const MAX_AGE = '600'

const ASKED_HEADERS = 'Access-Control-Request-Headers'
/** If the list of requested headers exceeds this length, no header is allowed, because a proxy might reject a reply that is too large. */
const ASKED_MAX = 4096
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** CORS with credentials (Fetch, 3.2), only for the listed origins, which are echoed exactly. */
export type CrossOrigin = {
  /** Returns additional headers for the reply to this request. */
  headers(request: CorsRequest): Headers
  /** Returns the reply to a preflight from a listed origin. */
  preflight(request: CorsRequest): HttpReply | undefined
}

/** `methods` are the methods of all endpoints. */
export function crossOrigin(
  { corsOrigins }: Pick<HttpSettings, 'corsOrigins'>,
  methods: readonly string[],
): CrossOrigin {
  const allowed = {
    Vary: `Origin, ${ASKED_HEADERS}`,
    'Access-Control-Max-Age': MAX_AGE,
    'Access-Control-Allow-Methods': methods.join(','),
  }
  const others = { Vary: 'Origin' }
  const exposed = { 'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(',') }
  const isPreflight = (request: CorsRequest) => (request.header('access-control-request-method') ?? '') !== ''
  return {
    headers: (request) => {
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
    preflight: (request) => {
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
