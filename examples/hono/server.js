import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
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

const app = new Hono()
app.all('/api/auth/*', (c) => handler(c.req.raw, getConnInfo(c).remote))

/** Lets a request by whose caller is logged in; all others get the refusal. */
async function loggedIn(c, next) {
  try {
    c.set('identity', await kennel.identify(c.req.raw))
  } catch (error) {
    const { status, headers, body } = replyOf(error)
    return c.json(body, status, headers)
  }
  return await next()
}

app.get('/hello', loggedIn, (c) => c.json({ hello: c.get('identity').email }))

const at = { hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }
const server = serve({ fetch: app.fetch, ...at }, (address) => console.log(address))
process.once('SIGTERM', () => server.close(() => kennel.close()))
