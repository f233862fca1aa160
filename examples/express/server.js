import express from 'express'
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

const app = express()
// Before any body parser, which would leave it no body. `app.use` with a path would take that away from the request.
app.all('/api/auth/*path', listener)

/** Lets a request by whose caller is logged in; all others get the refusal. */
async function loggedIn(request, response, next) {
  try {
    response.locals.identity = await kennel.identify(request)
  } catch (error) {
    const { status, headers, body } = replyOf(error)
    return response.status(status).set(headers).json(body)
  }
  return next()
}

app.get('/hello', loggedIn, (_request, response) => response.json({ hello: response.locals.identity.email }))

const server = app.listen(process.env.PORT ?? 3000, '127.0.0.1', () => console.log(server.address()))
process.once('SIGTERM', () => server.close(() => kennel.close()))
