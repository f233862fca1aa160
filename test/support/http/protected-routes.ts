import type { HttpSettings } from '../../../src/http/parts.js'
import { operation } from '../../../src/http/description/document.js'
import { ENDPOINTS } from '../../../src/http/endpoints.js'
import { GET_IDENTITY, PROJECTS, loggedOut, notSaved, type ExpectedMessage } from './browser.js'
import { httpSettings } from './settings.js'

/** A route that rejects anonymous callers. */
export type ProtectedRoute = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** A valid body, if the route needs a body. The body contains wrong passwords and codes, and nonexistent IDs. */
  readonly json?: object
}

export const DELETE_ACCOUNT = '/api/auth/delete-account'
export const CONFIRM_LOGIN = '/api/auth/confirm'
export const EXPORT_ACCOUNT = '/api/auth/export-account'
const UNKNOWN = 999_999_999

/** Returns the endpoints that need the cookie and the token with the default permissions. Get-identity is tested separately. */
function protectedRoutes(settings: HttpSettings): readonly ProtectedRoute[] {
  return ENDPOINTS.flatMap((endpoint) => {
    const { method, path, body, describe, isOffered = () => true } = endpoint
    if (endpoint.operation === undefined || !describe || !isOffered(settings)) return []
    const { security = [] } = operation(settings, endpoint, describe(settings))
    const isProtected =
      security.length > 0 && security.every((one) => 'SessionCookie' in one && 'BearerAuth' in one)
    if ((method !== 'GET' && method !== 'POST') || path === GET_IDENTITY || !isProtected) return []
    const example = body?.required ? body.content['application/json']?.example : undefined
    return {
      method,
      path: path.replace(/:\w+/, String(UNKNOWN)),
      ...(example && { json: withUnknownIds(example) }),
    }
  })
}

export const EVERY_PROTECTED_ROUTE = protectedRoutes(httpSettings())

/** The protected routes that exist only if passkeys are enabled. */
export const PASSKEY_ROUTES = protectedRoutes(
  httpSettings({ passkeyDomain: { rpId: 'kennel.example', relatedOrigins: [] } }),
).filter(({ path }) => !EVERY_PROTECTED_ROUTE.some((one) => one.path === path))

function withUnknownIds(example: object): object {
  const entries = Object.entries(example) as [string, unknown][]
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? UNKNOWN : value]),
  )
}

/** Returns an error in the format of the path's prefix. */
export function refusedAt(path: string, code: number, ...messages: readonly ExpectedMessage[]): object {
  if (!path.startsWith('/api/')) return { code, message: messages.map(({ message }) => message).join('; ') }
  return path.startsWith(PROJECTS) ? notSaved(code, ...messages) : loggedOut(code, ...messages)
}
