import express from 'express'
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

const app = express().disable('x-powered-by')
app.use((request, response, next) => {
  if (request.method === 'GET' || [undefined, OWN_ORIGIN].includes(request.get('Origin'))) return next()
  return response.status(403).json({ code: 403, messages: [] })
})
// It reads JSON only: a form of another site, which needs no permission to be sent, has no body here.
app.use(express.json({ limit: '16kb' }))

app.post('/login', async (request, response) => {
  const { email, password } = request.body ?? {}
  answerIssued(response, await kennel.login({ email, password, presented: presentedBy(request) }))
})

app.get('/identity', async (request, response) => {
  const { accountId, email, roles } = await kennel.getIdentity(presentedBy(request))
  response.json({ accountId, email, roles })
})

app.post('/refresh', async (request, response) => {
  const { refreshToken } = request.body ?? {}
  answerIssued(response, await kennel.refresh({ refreshToken, presented: presentedBy(request) }))
})

app.post('/logout', async (request, response) => {
  await kennel.logout(presentedBy(request))
  response.set('Set-Cookie', kennel.sessionCookie.clear()).json({ loggedIn: false })
})

app.use((error, _request, response, next) => {
  if (response.headersSent) return next(error)
  // What the JSON parser refuses has a status of its own.
  const status = isRefusal(error) ? STATUS_OF[error.code] : error.status
  if (status === undefined) console.error(error)
  const { messages = [] } = isRefusal(error) ? error : {}
  return response.status(status ?? 500).json({ code: status ?? 500, messages })
})

function presentedBy(request) {
  return {
    accessToken: /^bearer (\S+)$/i.exec(request.get('Authorization') ?? '')?.[1],
    sessionKey: kennel.sessionCookie.read(request.get('Cookie')),
    client: { address: request.ip },
  }
}

function answerIssued(response, { identity, accessToken, refreshToken, sessionKey }) {
  const { accountId, email } = identity
  response.set('Set-Cookie', kennel.sessionCookie.set(sessionKey))
  response.set('Cache-Control', 'no-store').json({ accountId, email, accessToken, refreshToken })
}

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
process.once('SIGTERM', () => server.close(() => kennel.close()))
