import type { Reply } from './client.js'
import { expect } from 'chai'
import {
  CHANGE_PASSWORD,
  CLOSE_PROJECT,
  CREATE_PROJECT,
  END_SESSIONS,
  PROJECTS,
  SESSIONS,
  setCookies,
  type Browser,
} from './browser.js'
import { LOGIN_AS, LOGOUT_AS } from './acting.js'
import {
  INVALID_TOKEN,
  loggedOut,
  notSaved,
  PROJECT_INVALID_TOKEN,
  type ExpectedMessage,
} from './expected.js'
import { CONFIRM, FACTOR, REMOVE, RENEW_CODES, SET_UP } from './factor.js'
import { STATELESS } from './service.js'

/** A route that rejects anonymous callers. */
export type ProtectedRoute = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly action: string
  /** A valid body that changes nothing, for a route that needs a body. */
  readonly json?: object
  /** The status for a new account with the permission. */
  readonly status: number
  /** For a list of sessions, which no stateless mode has. */
  readonly ofSessions?: true
}

export const DELETE_ACCOUNT = '/api/auth/delete-account'
const WRONG = { password: 'a wrong password' }
const UNKNOWN = 999_999_999

export const EVERY_PROTECTED_ROUTE: readonly ProtectedRoute[] = [
  { method: 'GET', path: FACTOR, action: 'auth:second-factor', status: 200 },
  { method: 'POST', path: SET_UP, action: 'auth:second-factor', json: WRONG, status: 400 },
  { method: 'POST', path: CONFIRM, action: 'auth:second-factor', json: { code: '123456' }, status: 409 },
  {
    ...{ method: 'POST', path: REMOVE, action: 'auth:second-factor' },
    ...{ json: { ...WRONG, code: '123456' }, status: 400 },
  },
  {
    ...{ method: 'POST', path: RENEW_CODES, action: 'auth:second-factor' },
    ...{ json: { ...WRONG, code: '123456' }, status: 400 },
  },
  {
    ...{ method: 'POST', path: CHANGE_PASSWORD, action: 'auth:change-password' },
    ...{ json: { ...WRONG, newPassword: 'the stable door is open' }, status: 400 },
  },
  { method: 'GET', path: SESSIONS, action: 'auth:list-sessions', status: 200, ofSessions: true },
  {
    ...{ method: 'POST', path: END_SESSIONS, action: 'auth:end-sessions' },
    ...{ json: { id: 'qT3xEXAMPLE-EXAMPLE_uQ' }, status: 404, ofSessions: true },
  },
  { method: 'POST', path: DELETE_ACCOUNT, action: 'auth:delete-account', json: WRONG, status: 400 },
  { method: 'POST', path: LOGIN_AS, action: 'auth:login-as', json: { userId: UNKNOWN }, status: 404 },
  { method: 'POST', path: LOGOUT_AS, action: 'auth:logout-as', status: 403 },
  { method: 'POST', path: CREATE_PROJECT, action: 'project:create', json: {}, status: 422 },
  { method: 'GET', path: PROJECTS, action: 'project:list', status: 200 },
  { method: 'GET', path: `${PROJECTS}/${UNKNOWN}`, action: 'project:read', status: 404 },
  { method: 'POST', path: CLOSE_PROJECT, action: 'project:close', json: { id: UNKNOWN }, status: 404 },
]

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
  return path.startsWith(PROJECTS) ? notSaved(code, ...messages) : loggedOut(code, ...messages)
}

/** The 401 for invalid tokens in the shape of the path's prefix, and no cookie. */
export function expectInvalidTokenAt(path: string, reply: Reply): void {
  expect(reply.status, path).to.equal(401)
  expect(reply.json, path).to.deep.equal(path.startsWith(PROJECTS) ? PROJECT_INVALID_TOKEN : INVALID_TOKEN)
  expect(setCookies(reply), path).to.deep.equal([])
}
