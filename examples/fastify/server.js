import Fastify from 'fastify'
import { openKennel, replyOf } from 'kennel-id'
import { createListener } from 'kennel-id/node'
import { createHandler } from 'kennel-id/web'

const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
  loginLimit: '10/15m',
})
const listener = createListener(createHandler(kennel))

const app = Fastify()
// Kennel must reply before Fastify looks for a body parser.
app.all(
  '/api/auth/*',
  { onRequest: async ({ raw }, reply) => listener(raw, reply.hijack().raw) },
  () => undefined,
)

/** Greets a logged-in caller; any other caller gets an error response. */
app.get('/hello', async (request, reply) => {
  try {
    const { email } = await kennel.identify(request.raw)
    return { hello: email }
  } catch (error) {
    const { status, headers, body } = replyOf(error)
    return reply.status(status).headers(headers).send(body)
  }
})

console.log(await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }))
process.once('SIGTERM', () => app.close().then(() => kennel.close()))
