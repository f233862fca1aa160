import type { HttpReply, HttpRequest } from './message.js'
import { EXPOSED_HEADERS } from './reply/reply-headers.js'
import type { HttpSettings } from './settings.js'

type Headers = Readonly<Record<string, string>>
type Asking = Pick<HttpRequest, 'method' | 'header'>

/** Seconds for which a browser may keep the reply to a preflight. */
const MAX_AGE = '600'

/** Credentialed CORS (Fetch, 3.2) for the listed origins only, echoed exactly. */
export type CrossOrigin = {
  /** Further headers of the reply to this request. */
  headers(request: Asking): Headers
  /** The reply to a preflight from a listed origin. */
  preflight(request: Asking): HttpReply | undefined
}

/** `methods` are the methods of all endpoints. */
export function crossOrigin(
  { corsOrigins, authorizationHeader, petsApiKeyHeader }: HttpSettings,
  methods: readonly string[],
): CrossOrigin {
  const allowed = {
    'Access-Control-Max-Age': MAX_AGE,
    'Access-Control-Allow-Methods': methods.join(','),
    'Access-Control-Allow-Headers': allowedHeaders([authorizationHeader, petsApiKeyHeader]).join(','),
  }
  const others = { Vary: 'Origin' }
  const exposed = { 'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(',') }
  const isPreflight = (request: Asking) => (request.header('access-control-request-method') ?? '') !== ''
  return {
    headers: (request) => {
      const origin = request.header('origin') ?? ''
      const isShared = request.method !== 'OPTIONS' || isPreflight(request)
      if (!isShared || !corsOrigins.includes(origin)) return others
      return {
        ...others,
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        ...(request.method === 'OPTIONS' ? allowed : exposed),
      }
    },
    preflight: (request) => {
      const isAsked = request.method === 'OPTIONS' && isPreflight(request)
      return isAsked && corsOrigins.includes(request.header('origin') ?? '') ? { status: 204 } : undefined
    },
  }
}

/** The request headers for pages of listed origins, each named once. */
function allowedHeaders(configured: readonly string[]): string[] {
  const credentials = [...configured, 'Authorization', 'ApiKeyAuth', 'BasicAuth']
  const byName = new Map(credentials.map((name) => [name.toLowerCase(), name]))
  return ['Content-Type', ...byName.values(), 'If-Match', 'If-None-Match', 'Idempotency-Key']
}
