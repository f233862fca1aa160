import { isRefusal, openKennel } from 'kennel-id'

// Once for each process, which serves many events; between them it may be frozen, so nothing runs in the background.
const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
  background: false,
})

const STATUS_OF = {
  malformed: 400,
  'login-failed': 401,
  'invalid-token': 401,
  unauthenticated: 401,
  forbidden: 403,
  'too-many-attempts': 429,
  overloaded: 503,
  unavailable: 503,
}

// A browser sends the cookie by itself, also for a page on another port: only pages of ours may ask for more than reading.
const OWN_ORIGIN = new URL(process.env.PUBLIC_URL).origin

const ROUTES = {
  'POST /login': async (event) => {
    const { email, password } = jsonOf(event)
    return issued(await kennel.login({ email, password, presented: presentedBy(event) }))
  },
  'GET /identity': async (event) => {
    const { accountId, email, roles } = await kennel.getIdentity(presentedBy(event))
    return reply(200, { accountId, email, roles })
  },
  'POST /refresh': async (event) => {
    const { refreshToken } = jsonOf(event)
    return issued(await kennel.refresh({ refreshToken, presented: presentedBy(event) }))
  },
  'POST /logout': async (event) => {
    await kennel.logout(presentedBy(event))
    return reply(200, { loggedIn: false }, [kennel.sessionCookie.clear()])
  },
}

/** For an HTTP API of API Gateway, with payload format 2.0. */
export async function handler(event) {
  const { method } = event.requestContext.http
  const route = ROUTES[`${method} ${event.rawPath}`]
  if (!route) return reply(404, { code: 404, messages: [] })
  if (method !== 'GET' && ![undefined, OWN_ORIGIN].includes(event.headers.origin))
    return reply(403, { code: 403, messages: [] })
  try {
    return await route(event)
  } catch (error) {
    const status = isRefusal(error) ? STATUS_OF[error.code] : error.status
    if (status === undefined) console.error(error)
    const { messages = [] } = isRefusal(error) ? error : {}
    return reply(status ?? 500, { code: status ?? 500, messages })
  }
}

function jsonOf({ headers, body = '', isBase64Encoded }) {
  // A form of another site needs no permission to send text.
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) throw httpError(415)
  try {
    return Object(JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body))
  } catch {
    throw httpError(400)
  }
}

function httpError(status) {
  return Object.assign(new Error(`status ${status}`), { status })
}

function presentedBy({ headers, cookies = [], requestContext }) {
  return {
    accessToken: /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1],
    sessionKey: kennel.sessionCookie.read(cookies.join('; ')),
    client: { address: requestContext.http.sourceIp, requestId: requestContext.requestId },
  }
}

function issued({ identity, accessToken, refreshToken, sessionKey }) {
  const { accountId, email } = identity
  const body = { accountId, email, accessToken, refreshToken }
  return reply(200, body, [kennel.sessionCookie.set(sessionKey)])
}

function reply(statusCode, body, cookies = []) {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  return { statusCode, headers, cookies, body: JSON.stringify(body) }
}
