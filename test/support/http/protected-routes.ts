import { expect } from 'chai'
import { actionOf } from '../../../src/http/endpoint.js'
import { ENDPOINTS } from '../../../src/http/endpoints.js'
import type { HttpAction } from '../../../src/http/settings.js'
import { GET_IDENTITY, PROJECTS, setCookies, type Browser } from './browser.js'
import type { Reply } from './client.js'
import {
  INVALID_TOKEN,
  loggedOut,
  notSaved,
  PROJECT_INVALID_TOKEN,
  type ExpectedMessage,
} from './expected.js'
import { STATELESS } from './service.js'
import { httpSettings } from './settings.js'

/** A route that rejects anonymous callers. */
export type ProtectedRoute = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly action: HttpAction
  /** A valid body, for a route that needs a body. Its passwords and codes are wrong, and its IDs are unknown. */
  readonly json?: object
  /** For a list of sessions, which no stateless mode has. */
  readonly ofSessions: boolean
}

export const DELETE_ACCOUNT = '/api/auth/delete-account'
const UNKNOWN = 999_999_999

/** Every endpoint that needs cookie and access token. Get-identity has separate tests. */
export const EVERY_PROTECTED_ROUTE: readonly ProtectedRoute[] = ENDPOINTS.flatMap((endpoint) => {
  const { method, path, body, describe, isOffered = () => true } = endpoint
  const action = actionOf(endpoint)
  const security = describe?.(httpSettings()).security ?? []
  const isProtected =
    security.length > 0 && security.every((one) => 'SessionCookie' in one && 'BearerAuth' in one)
  if (!action || (method !== 'GET' && method !== 'POST') || path === GET_IDENTITY || !isProtected) return []
  const example = body?.required ? body.content['application/json']?.example : undefined
  return {
    method,
    path: path.replace(/:\w+/, String(UNKNOWN)),
    action,
    ...(example && { json: withUnknownIds(example) }),
    ofSessions: !isOffered(httpSettings({ stateless: true })),
  }
})

function withUnknownIds(example: object): object {
  const entries = Object.entries(example) as [string, unknown][]
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? UNKNOWN : value]),
  )
}

/** The protected routes in this run of the suite. */
export const PROTECTED_ROUTES = EVERY_PROTECTED_ROUTE.filter(({ ofSessions }) => !STATELESS || !ofSessions)

/** The protected routes that need a body. */
export const PROTECTED_BODIES = PROTECTED_ROUTES.filter(({ json }) => json !== undefined)

/** The request of this client. */
export async function sendTo({ method, path, json }: ProtectedRoute, browser: Browser): Promise<Reply> {
  return await browser.send(method, path, json === undefined ? {} : { json })
}

/** An error in the shape of the path's prefix. */
export function refusedAt(path: string, code: number, ...messages: readonly ExpectedMessage[]): object {
  if (!path.startsWith('/api/')) return { code, message: messages.map(({ message }) => message).join('; ') }
  return path.startsWith(PROJECTS) ? notSaved(code, ...messages) : loggedOut(code, ...messages)
}

/** The 401 for invalid tokens in the shape of the path's prefix, and no cookie. */
export function expectInvalidTokenAt(path: string, reply: Reply): void {
  expect(reply.status, path).to.equal(401)
  expect(reply.json, path).to.deep.equal(path.startsWith(PROJECTS) ? PROJECT_INVALID_TOKEN : INVALID_TOKEN)
  expect(setCookies(reply), path).to.deep.equal([])
}
