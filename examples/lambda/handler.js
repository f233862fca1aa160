import { openKennel, replyOf } from 'kennel-id'
import { createLog } from 'kennel-id/pino'
import { createHandler } from 'kennel-id/web'
import { toLambdaHandler } from 'srvx/aws-lambda'

// Once for each process, which serves many events; between them it may be frozen, so nothing runs in the background.
const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
  background: false,
})
const answer = createHandler(kennel, { log: createLog({ level: 'warn', pretty: false }) })

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

/** For an HTTP API or a REST API of API Gateway, a function URL, or a load balancer. */
export const handler = toLambdaHandler({
  fetch: (request) =>
    new URL(request.url).pathname === '/hello' ? hello(request) : answer(request, { address: request.ip }),
})
