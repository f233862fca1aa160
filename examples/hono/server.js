import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
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

const app = new Hono()
app.use(async (c, next) => {
  if (c.req.method === 'GET' || [undefined, OWN_ORIGIN].includes(c.req.header('Origin'))) return await next()
  return c.json({ code: 403, messages: [] }, 403)
})
app.use(bodyLimit({ maxSize: 16 * 1024 }))

app.post('/login', async (c) => {
  const { email, password } = await jsonOf(c)
  return answerIssued(c, await kennel.login({ email, password, presented: presentedBy(c) }))
})

app.get('/identity', async (c) => {
  const { accountId, email, roles } = await kennel.getIdentity(presentedBy(c))
  return c.json({ accountId, email, roles })
})

app.post('/refresh', async (c) => {
  const { refreshToken } = await jsonOf(c)
  return answerIssued(c, await kennel.refresh({ refreshToken, presented: presentedBy(c) }))
})

app.post('/logout', async (c) => {
  await kennel.logout(presentedBy(c))
  return c.json({ loggedIn: false }, 200, { 'Set-Cookie': kennel.sessionCookie.clear() })
})

app.onError((error, c) => {
  const status = isRefusal(error) ? STATUS_OF[error.code] : error.status
  if (status === undefined) console.error(error)
  const { messages = [] } = isRefusal(error) ? error : {}
  return c.json({ code: status ?? 500, messages }, status ?? 500)
})

async function jsonOf(c) {
  // A form of another site needs no permission to send text.
  if (!/^application\/json\b/i.test(c.req.header('Content-Type') ?? '')) throw new HTTPException(415)
  const body = await c.req.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null) throw new HTTPException(400)
  return body
}

function presentedBy(c) {
  return {
    accessToken: /^bearer (\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1],
    sessionKey: kennel.sessionCookie.read(c.req.header('Cookie')),
    client: { address: getConnInfo(c).remote.address },
  }
}

function answerIssued(c, { identity, accessToken, refreshToken, sessionKey }) {
  const { accountId, email } = identity
  const headers = { 'Set-Cookie': kennel.sessionCookie.set(sessionKey), 'Cache-Control': 'no-store' }
  return c.json({ accountId, email, accessToken, refreshToken }, 200, headers)
}

const at = { hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }
const server = serve({ fetch: app.fetch, ...at }, ({ port }) => console.log(`http://127.0.0.1:${port}`))
process.once('SIGTERM', () => server.close(() => kennel.close()))
