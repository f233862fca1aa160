import Fastify from 'fastify'
import { openKennel, replyOf } from 'kennel-id'
import { createLog } from 'kennel-id/pino'
import { createHandler } from 'kennel-id/web'
import { toNodeHandler } from 'srvx/node'

const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
})
const handler = createHandler(kennel, { log: createLog({ level: 'warn', pretty: false }) })
const listener = toNodeHandler((request) => handler(request, { address: request.ip }))

const app = Fastify()
// Before Fastify looks for a parser of the body.
const onRequest = (request, reply) => listener(request.raw, reply.hijack().raw)
app.all('/api/auth/*', { onRequest }, () => undefined)

/** Lets a request by whose caller is logged in; all others get the refusal. */
async function loggedIn(request, reply) {
  try {
    request.identity = await kennel.identify(request.raw)
  } catch (error) {
    const { status, headers, body } = replyOf(error)
    await reply.status(status).headers(headers).send(body)
  }
}

app.get('/hello', { preHandler: loggedIn }, async ({ identity }) => ({ hello: identity.email }))

console.log(await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }))
process.once('SIGTERM', () => app.close().then(() => kennel.close()))
