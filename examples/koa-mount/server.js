import { openKennel } from 'kennel-id'
import { createHttpService } from 'kennel-id/koa'
import Koa from 'koa'
import mount from 'koa-mount'

const PREFIX = '/kennel'

const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
})

const log = { debug() {}, info() {}, warn: console.warn, error: console.error, enabled: () => false }
const service = createHttpService({
  useCases: kennel,
  settings: kennel.httpSettings,
  readiness: () => kennel.ready(),
  log,
  prefix: PREFIX,
})

// The application that was there before, with a page for those who are logged in.
const app = new Koa()
// Kennel reads its bodies itself: it has to come before a body parser of the application's.
app.use(mount(PREFIX, service))
app.use(async (ctx) => {
  const accessToken = /^bearer (\S+)$/i.exec(ctx.get('X-Authorization'))?.[1]
  const sessionKey = kennel.sessionCookie.read(ctx.get('Cookie'))
  try {
    const { email } = await kennel.getIdentity({ accessToken, sessionKey })
    ctx.body = `Hello ${email}\n`
  } catch (error) {
    if (error.code === 'unavailable') throw error
    ctx.throw(401)
  }
})

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
process.once('SIGTERM', () => server.close(() => kennel.close()))
