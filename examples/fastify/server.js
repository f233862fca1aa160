import Fastify from 'fastify'
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

const app = Fastify({ bodyLimit: 16 * 1024 })
app.addHook('onRequest', async (request, reply) => {
  if (request.method === 'GET' || [undefined, OWN_ORIGIN].includes(request.headers.origin)) return
  return reply.status(403).send({ code: 403, messages: [] })
})
// JSON only: a form of another site needs no permission to send text.
app.removeContentTypeParser('text/plain')

app.post('/login', async (request, reply) => {
  const { email, password } = request.body ?? {}
  return answerIssued(reply, await kennel.login({ email, password, presented: presentedBy(request) }))
})

app.get('/identity', async (request) => {
  const { accountId, email, roles } = await kennel.getIdentity(presentedBy(request))
  return { accountId, email, roles }
})

app.post('/refresh', async (request, reply) => {
  const { refreshToken } = request.body ?? {}
  return answerIssued(reply, await kennel.refresh({ refreshToken, presented: presentedBy(request) }))
})

app.post('/logout', async (request, reply) => {
  await kennel.logout(presentedBy(request))
  reply.header('Set-Cookie', kennel.sessionCookie.clear())
  return { loggedIn: false }
})

app.setErrorHandler((error, _request, reply) => {
  // What Fastify's parsers refuse has a status of its own.
  const status = isRefusal(error) ? STATUS_OF[error.code] : error.statusCode
  if (status === undefined) console.error(error)
  const { messages = [] } = isRefusal(error) ? error : {}
  return reply.status(status ?? 500).send({ code: status ?? 500, messages })
})

function presentedBy(request) {
  return {
    accessToken: /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1],
    sessionKey: kennel.sessionCookie.read(request.headers.cookie),
    client: { address: request.ip },
  }
}

function answerIssued(reply, { identity, accessToken, refreshToken, sessionKey }) {
  const { accountId, email } = identity
  reply.header('Set-Cookie', kennel.sessionCookie.set(sessionKey)).header('Cache-Control', 'no-store')
  return { accountId, email, accessToken, refreshToken }
}

app.addHook('onClose', () => kennel.close())
process.once('SIGTERM', () => app.close())
console.log(await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }))
