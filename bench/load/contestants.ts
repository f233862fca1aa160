import type { Request } from 'autocannon'

/** What the client of one login holds; each contestant gives it what its clients need. */
export type Credentials = {
  readonly cookie?: string
  readonly accessToken?: string
  readonly refreshToken?: string
}

/** The parts of a reply that bring new credentials. */
type RefreshReply = { readonly body: string; readonly cookie: string | undefined }

/** The requests of one contestant for the same jobs. */
export type Requests = {
  /** Who is logged in: the cookie of a session, or the access token where there is none. */
  readonly identity: (client: Credentials) => Request
  /** The same by a signed token alone, without a look at the store; absent where there is no such thing. */
  readonly stateless?: (client: Credentials) => Request
  readonly refresh: (client: Credentials) => Request
  /** What a refresh has replaced. */
  readonly refreshed: (reply: RefreshReply) => Partial<Credentials>
  /** Absent where the password is checked by the host's own code. */
  readonly login?: (email: string, password: string) => Request
}

const JSON_BODY = { 'Content-Type': 'application/json' }
/** As a browser says where its page is from, and a proxy that ends TLS how it was asked: no secure cookie without it. */
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

/** A route of the host, by the cookie of the session. */
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
  // The same request: what differs is the cookie, which holds a signed copy of the session.
  stateless: USER,
  // Its session is prolonged where its client asks for it; the cookie stays what it is.
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

/** How the service and each peer are asked, by the names of the peers' files in `bench/peers`. */
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
