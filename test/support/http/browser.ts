import type { Envelope, IdentityView } from '../../../src/http/reply/envelope.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import type { Call, Reply } from './client.js'
import { PASSWORD, type TestService } from './service.js'
import { expect } from 'chai'

/** The credentials of one client. `cookie` is the pair `name=value`. */
export type Held = {
  readonly cookie?: string | undefined
  readonly accessToken?: string | undefined
  readonly refreshToken?: string | undefined
}

export type Browser = ReturnType<typeof createBrowser>

export type Served = Pick<TestService, 'client'>

export type BrowserOptions = { readonly header?: string; readonly held?: Held }

/**
 * A well-behaved client: stores the cookie and the tokens of replies, sends both to protected routes, and sends only the
 * cookie with a login or refresh.
 */
export function createBrowser(service: Served, email: string, options: BrowserOptions = {}) {
  let held: Held = options.held ?? {}
  const send = async (method: string, path: string, { cookie, accessToken }: Held, call: Call = {}) => {
    const headers = { ...credentials({ cookie, accessToken }, options.header), ...call.headers }
    const reply = await service.client.call(method, path, { ...call, headers })
    held = keep(held, reply)
    return reply
  }
  const cookieOnly = () => ({ cookie: held.cookie })
  return {
    email,
    /** A snapshot of the current credentials, which later replies do not change. */
    held: () => held,
    /** Sends the request with the cookie and the bearer token. */
    send: (method: string, path: string, call?: Call) => send(method, path, held, call),
    login: (password = PASSWORD) => send('POST', LOGIN, cookieOnly(), { json: { email, password } }),
    getIdentity: () => send('GET', GET_IDENTITY, held),
    refresh: () => send('POST', REFRESH, cookieOnly(), { json: { refreshToken: held.refreshToken } }),
    logout: () => send('POST', LOGOUT, held, { json: {} }),
  }
}

export const LOGIN = '/api/auth/login'
export const GET_IDENTITY = '/api/auth/get-identity'
export const REFRESH = '/api/auth/refresh'
export const LOGOUT = '/api/auth/logout'
export const LOGIN_AS = '/api/auth/login-as'
export const LOGOUT_AS = '/api/auth/logout-as'
export const CHANGE_PASSWORD = '/api/auth/change-password'
export const SESSIONS = '/api/auth/sessions'
export const END_SESSIONS = '/api/auth/sessions/end'
export const PROJECTS = '/api/project'
export const CREATE_PROJECT = '/api/project/create'
export const CLOSE_PROJECT = '/api/project/close'

export const PROJECT = { label: 'Kennel roof', status: 'open', budget: 1200.5 }

let accounts = 0

/** An email that no account of this process has. */
export function freshEmail(): string {
  accounts += 1
  return `guest-${accounts}@example.com`
}

export async function newcomer(
  service: TestService,
  roles: readonly string[] = [],
  options: BrowserOptions = {},
): Promise<Browser & { readonly id: number }> {
  const email = freshEmail()
  const id = await service.account(email, roles)
  const browser = createBrowser(service, email, options)
  const { status, text } = await browser.login()
  if (status !== 200) throw new Error(`the login of a newcomer failed: ${text}`)
  return { ...browser, id }
}

export function credentials({ cookie, accessToken }: Held, header = 'X-Authorization') {
  return {
    ...(cookie !== undefined && { Cookie: cookie }),
    ...(accessToken !== undefined && { [header]: `Bearer ${accessToken}` }),
  }
}

/** Refreshes with a copy of the credentials, and discards the new token pair. */
export function refreshWith(service: Served, { cookie, refreshToken }: Held): Promise<Reply> {
  return service.client.call('POST', REFRESH, { headers: credentials({ cookie }), json: { refreshToken } })
}

export function identityWith(service: Served, held: Held): Promise<Reply> {
  return service.client.call('GET', GET_IDENTITY, { headers: credentials(held) })
}

export function envelopeOf(reply: Reply): Envelope<IdentityView> {
  return reply.json as Envelope<IdentityView>
}

export function setCookies(reply: Reply): readonly string[] {
  return reply.headers['set-cookie'] ?? []
}

/** Applies a reply's session cookie to a client's credentials; an empty cookie removes the old one. */
export function keep(held: Held, reply: Reply): Held {
  const pair = setCookies(reply)
    .find((line) => !line.includes('-proof='))
    ?.split(';')[0]
  const cookie = pair === undefined ? held.cookie : pair.endsWith('=') ? undefined : pair
  const view = (reply.json as Partial<Envelope<Partial<IdentityView>>> | undefined)?.view
  return {
    cookie,
    accessToken: view?.jwt ?? held.accessToken,
    refreshToken: view?.refreshToken ?? held.refreshToken,
  }
}

/** Returns the ID of the session in an access token or a refresh token. */
export function sessionIdOf(token = ''): SessionId {
  const parts = token.split('.')
  const isPaseto = parts[0] === 'v4'
  const body = Buffer.from(parts[isPaseto ? 2 : 1] ?? '', 'base64url')
  const { sid } = JSON.parse((isPaseto ? body.subarray(0, -64) : body).toString()) as { sid: SessionId }
  return sid
}

export type ExpectedMessage = { readonly message: string; readonly field: string; readonly type: string }

/** The whole envelope for a client that is not logged in; `code` is also the code of each message. */
export function loggedOut(code: number, ...messages: readonly ExpectedMessage[]) {
  return {
    code,
    response: code === 200,
    view: {
      jwt: null,
      refreshToken: null,
      refreshed: false,
      loggedIn: false,
      loggedInAs: false,
      user: null,
      userAs: null,
      messages: messages.map((one) => ({ ...one, code })),
      roleList: {},
      groupList: {},
      typeList: {},
    },
  }
}

/** The whole error envelope of a route that saves something, such as a project. */
export function notSaved(code: number, ...messages: readonly ExpectedMessage[]) {
  return {
    code,
    response: false,
    view: { saved: false, messages: messages.map((one) => ({ ...one, code })) },
  }
}

const invalidToken = { message: 'Invalid authentication token.', field: '', type: 'InvalidToken' }
export const unavailable = {
  message: 'The service is unavailable, try again shortly.',
  field: '',
  type: 'Unavailable',
}

const INVALID_TOKEN = loggedOut(401, invalidToken)
export const UNAVAILABLE = loggedOut(503, unavailable)

/** Expects the 401 that every invalid token or session gets: exactly this body, and no `Set-Cookie` header. */
export function expectInvalidToken(reply: Reply): void {
  expect(reply.status).to.equal(401)
  expect(reply.json).to.deep.equal(INVALID_TOKEN)
  expect(setCookies(reply)).to.deep.equal([])
}
