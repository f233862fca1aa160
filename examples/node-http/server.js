import { createServer } from 'node:http'
import { isRefusal, openKennel } from 'kennel-id'

const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
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

/** Each gives status, body and headers. */
const ROUTES = {
  'POST /login': async (request) => {
    const { email, password } = await jsonOf(request)
    return issued(await kennel.login({ email, password, presented: presentedBy(request) }))
  },
  'GET /identity': async (request) => {
    const { accountId, email, roles } = await kennel.getIdentity(presentedBy(request))
    return [200, { accountId, email, roles }]
  },
  'POST /refresh': async (request) => {
    const { refreshToken } = await jsonOf(request)
    return issued(await kennel.refresh({ refreshToken, presented: presentedBy(request) }))
  },
  'POST /logout': async (request) => {
    await kennel.logout(presentedBy(request))
    return [200, { loggedIn: false }, { 'Set-Cookie': kennel.sessionCookie.clear() }]
  },
}

const server = createServer(async (request, response) => {
  const [status, body, headers] = await answer(request).catch(failed)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers })
  response.end(JSON.stringify(body))
})

async function answer(request) {
  const [path] = request.url.split('?', 1)
  const route = ROUTES[`${request.method} ${path}`]
  if (!route) throw httpError(404)
  if (request.method !== 'GET' && ![undefined, OWN_ORIGIN].includes(request.headers.origin))
    throw httpError(403)
  return await route(request)
}

function httpError(status) {
  return Object.assign(new Error(`status ${status}`), { status })
}

function failed(error) {
  const status = isRefusal(error) ? STATUS_OF[error.code] : error.status
  if (status === undefined) console.error(error)
  const { messages = [] } = isRefusal(error) ? error : {}
  return [status ?? 500, { code: status ?? 500, messages }]
}

async function jsonOf(request) {
  // A form of another site needs no permission to send text.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) throw httpError(415)
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > 16 * 1024) throw httpError(413)
  }
  try {
    return Object(JSON.parse(text))
  } catch {
    throw httpError(400)
  }
}

function presentedBy(request) {
  return {
    accessToken: /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1],
    sessionKey: kennel.sessionCookie.read(request.headers.cookie),
    client: { address: request.socket.remoteAddress },
  }
}

function issued({ identity, accessToken, refreshToken, sessionKey }) {
  const { accountId, email } = identity
  const headers = { 'Set-Cookie': kennel.sessionCookie.set(sessionKey) }
  return [200, { accountId, email, accessToken, refreshToken }, headers]
}

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
process.once('SIGTERM', () => server.close(() => kennel.close()))
