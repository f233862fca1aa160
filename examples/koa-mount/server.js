import { openKennel, replyOf } from 'kennel-id'
import { createHttpService } from 'kennel-id/koa'
import Koa from 'koa'
import mount from 'koa-mount'

const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
  loginLimit: '10/15m',
})
const { httpSettings: settings, log } = kennel
const parts = { useCases: kennel, settings, readiness: () => kennel.ready(), log }

const app = new Koa()
// Must come before the application's body parser, because a parser would consume the body.
app.use(mount('/kennel', createHttpService({ ...parts, isClosed: () => kennel.closed, prefix: '/kennel' })))

/** Lets requests from logged-in callers pass; any other caller gets an error response. */
app.use(async (ctx, next) => {
  try {
    ctx.state.identity = await kennel.identify(ctx.req)
  } catch (error) {
    const { headers, ...reply } = replyOf(error)
    ctx.set(headers)
    return Object.assign(ctx, reply)
  }
  return await next()
})
app.use((ctx) => Object.assign(ctx, { body: { hello: ctx.state.identity.email } }))

const port = Number(process.env.PORT ?? 3000)
const server = app.listen(port, '127.0.0.1', () => console.log(server.address()))
process.once('SIGTERM', () => server.close(() => kennel.close()))
