import express from 'express'
import { openKennel, replyOf } from 'kennel-id'
import { createListener } from 'kennel-id/node'
import { createHandler } from 'kennel-id/web'

const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
  loginLimit: '10/15m',
})

const app = express()
// Must come before any body parser, because a parser would consume the body.
app.use('/api/auth', createListener(createHandler(kennel)))

/** Routes for logged-in callers; any other caller gets an error response. */
const members = express.Router()
members.use(async (request, response, next) => {
  try {
    response.locals.identity = await kennel.identify(request)
    next()
  } catch (error) {
    const { status, headers, body } = replyOf(error)
    response.status(status).set(headers).json(body)
  }
})
members.get('/hello', (_request, response) => void response.json({ hello: response.locals.identity.email }))
app.use(members)

const port = Number(process.env.PORT ?? 3000)
const server = app.listen(port, '127.0.0.1', () => console.log(server.address()))
process.once('SIGTERM', () => server.close(() => kennel.close()))
