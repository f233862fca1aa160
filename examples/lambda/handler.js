import { openKennel, replyOf } from 'kennel-id'
import { createHandler } from 'kennel-id/web'
import { toLambdaHandler } from 'srvx/aws-lambda'

// Created once for each process, which handles many events; the process may be frozen between events, so nothing runs in the background.
const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
  loginLimit: '10/15m',
  background: false,
})
const serve = createHandler(kennel)

/**
 * Answers `/hello` for logged-in callers, and passes every other request to Kennel.
 *
 * @param {Request} request
 * @param {string | undefined} address
 */
async function answer(request, address) {
  if (new URL(request.url).pathname !== '/hello') return await serve(request, { address })
  try {
    const { email } = await kennel.identify(request, { address })
    return Response.json({ hello: email })
  } catch (error) {
    const { body, ...init } = replyOf(error)
    return Response.json(body, init)
  }
}

/** For API Gateway (HTTP API or REST API) and function URLs, whose events contain the client's address. */
export const handler = toLambdaHandler({ fetch: (request) => answer(request, request.ip) })

/** For an Application Load Balancer, whose events lack the client's address; the load balancer appends it to `X-Forwarded-For`. */
export const behindLoadBalancer = toLambdaHandler({
  fetch: (request) => answer(request, request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()),
})
