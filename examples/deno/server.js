import { openKennel, replyOf } from 'kennel-id'
import { createHandler } from 'kennel-id/web'

const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
  loginLimit: '10/15m',
})
const handler = createHandler(kennel)

/**
 * Greets a logged-in caller; any other caller gets an error response.
 *
 * @param {Request} request
 */
async function hello(request) {
  try {
    const { email } = await kennel.identify(request)
    return Response.json({ hello: email })
  } catch (error) {
    const { body, ...init } = replyOf(error)
    return Response.json(body, init)
  }
}

const at = { hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000), onListen: console.log }
const server = Deno.serve(at, (request, info) => {
  if (new URL(request.url).pathname === '/hello') return hello(request)
  return handler(request, { address: info.remoteAddr.hostname })
})
Deno.addSignalListener('SIGTERM', () => server.shutdown().then(() => kennel.close()))
