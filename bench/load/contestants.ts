import type { Request } from 'autocannon'

/** The credentials of one login; each contestant stores the credentials that its clients need. */
export type Credentials = {
  readonly cookie?: string
  readonly accessToken?: string
  readonly refreshToken?: string
}

/** The parts of a reply that bring new credentials. */
type RefreshReply = { readonly body: string; readonly cookie: string | undefined }

/** The requests of one contestant for the same jobs. */
export type Requests = {
  /** get-identity: with the cookie of a session, or with the access token if there is no session. */
  readonly identity: (client: Credentials) => Request
  /** The same with a signed token alone, without a store lookup; absent if the contestant has no such token. */
  readonly stateless?: (client: Credentials) => Request
  readonly refresh: (client: Credentials) => Request
  /** The new credentials in the reply to a refresh. */
  readonly refreshed: (reply: RefreshReply) => Partial<Credentials>
  /** Absent if the host's own code checks the password. */
  readonly login?: (email: string, password: string) => Request
}

const JSON_BODY = { 'Content-Type': 'application/json' }
/** Headers of a browser and of a proxy that terminates TLS: without them there is no secure cookie. */
const FROM_BROWSER = { Origin: 'https://kennel.example', 'X-Forwarded-Proto': 'https' }

const KENNEL: Requests = {
  identity: ({ cookie = '', accessToken }) => ({
    method: 'GET',
    path: '/api/auth/get-identity',
    headers: { Cookie: cookie, 'X-Authorization': `Bearer ${accessToken ?? ''}` },
  }),
  stateless: ({ accessToken }) => ({
    method: 'GET',
    path: '/api/auth/get-identity',
    headers: { 'X-Authorization': `Bearer ${accessToken ?? ''}` },
  }),
  refresh: ({ cookie = '', refreshToken }) => ({
    method: 'POST',
    path: '/api/auth/refresh',
    headers: { ...JSON_BODY, Cookie: cookie },
    body: JSON.stringify({ refreshToken }),
  }),
  refreshed: ({ body, cookie = '' }) => {
    const { view } = JSON.parse(body) as { view: { refreshToken: string } }
    return { cookie, refreshToken: view.refreshToken }
  },
  login: (email, password) => posted('/api/auth/login', { email, password }),
}

/** A route of the host, with the cookie of the session. */
const USER: Requests['identity'] = ({ cookie = '' }) => ({
  method: 'GET',
  path: '/me',
  headers: { Cookie: cookie },
})

const EXPRESS_STACK: Requests = {
  identity: USER,
  stateless: ({ accessToken }) => ({ method: 'GET', path: '/token/me', headers: bearer(accessToken) }),
  refresh: ({ refreshToken }) => posted('/refresh', { refreshToken }),
  refreshed: ({ body }) => {
    const { refreshToken } = JSON.parse(body) as { refreshToken: string }
    return { refreshToken }
  },
  login: (email, password) => posted('/login', { email, password }),
}

const BETTER_AUTH: Requests = {
  identity: USER,
  // The same request; only the cookie differs, which holds a signed copy of the session.
  stateless: USER,
  // Clients extend the session by a request; the cookie stays the same.
  refresh: USER,
  refreshed: () => ({}),
  login: (email, password) => posted('/api/auth/sign-in/email', { email, password }),
}

const OIDC_PROVIDER: Requests = {
  identity: ({ accessToken }) => ({ method: 'GET', path: '/me', headers: bearer(accessToken) }),
  refresh: ({ refreshToken = '' }) => ({
    method: 'POST',
    path: '/token',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `grant_type=refresh_token&client_id=app&refresh_token=${refreshToken}`,
  }),
  refreshed: ({ body }) => {
    const { refresh_token: refreshToken } = JSON.parse(body) as { refresh_token: string }
    return { refreshToken }
  },
}

/** The requests to the service and each peer, by the names of the peers' files in `bench/peers`. */
export const CONTESTANTS = {
  kennel: KENNEL,
  'better-auth': BETTER_AUTH,
  'express-stack': EXPRESS_STACK,
  'oidc-provider': OIDC_PROVIDER,
} as const satisfies Readonly<Record<string, Requests>>

export type ContestantId = keyof typeof CONTESTANTS

function posted(path: string, body: object): Request {
  return { method: 'POST', path, headers: { ...JSON_BODY, ...FROM_BROWSER }, body: JSON.stringify(body) }
}

function bearer(token = ''): Record<string, string> {
  return { Authorization: `Bearer ${token}` }
}
