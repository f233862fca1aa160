import { openKennel, replyOf } from 'kennel-id'
import { createLog } from 'kennel-id/pino'
import { createHandler } from 'kennel-id/web'

const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
})
const handler = createHandler(kennel, { log: createLog({ level: 'warn', pretty: false }) })

/** Only who is logged in reaches the route; all others get the refusal, and so do those whom the route refuses. */
function loggedIn(route) {
  return async (request) => {
    try {
      return await route(await kennel.identify(request), request)
    } catch (error) {
      const reply = replyOf(error)
      return Response.json(reply.body, reply)
    }
  }
}

const hello = loggedIn((identity) => Response.json({ hello: identity.email }))

const at = { hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000), onListen: console.log }
const server = Deno.serve(at, (request, info) => {
  if (new URL(request.url).pathname === '/hello') return hello(request)
  return handler(request, { address: info.remoteAddr.hostname })
})
Deno.addSignalListener('SIGTERM', () => server.shutdown().then(() => kennel.close()))
