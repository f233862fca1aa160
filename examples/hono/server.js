import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
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

const app = new Hono()
app.all('/api/auth/*', (c) => handler(c.req.raw, getConnInfo(c).remote))

/** Greets a logged-in caller; any other caller gets an error response. */
app.get('/hello', async (c) => {
  try {
    const { email } = await kennel.identify(c.req.raw)
    return Response.json({ hello: email })
  } catch (error) {
    const { body, status, headers } = replyOf(error)
    return Response.json(body, { status, headers })
  }
})

const at = { hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }
const server = serve({ fetch: app.fetch, ...at }, (address) => console.log(address))
process.once('SIGTERM', () => server.close(() => kennel.close()))
