import { createServer } from 'node:http'
import { isRefusal, openKennel, replyOf } from 'kennel-id'
import { createListener } from 'kennel-id/node'
import { createHandler } from 'kennel-id/web'

const kennel = await openKennel({
  store: process.env.DATABASE_URL ?? 'sqlite:./data/app.db',
  passphrase: process.env.SECURITY_JWT_PASSPHRASE,
  publicUrl: process.env.PUBLIC_URL,
  production: process.env.NODE_ENV === 'production',
  loginLimit: '10/15m',
})
const listener = createListener(createHandler(kennel))

const server = createServer(async (request, response) => {
  if (request.url !== '/hello') return listener(request, response)
  // Greets a logged-in caller; any other caller gets an error response. No framework catches other errors, so no promise may reject.
  try {
    const { email } = await kennel.identify(request)
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ hello: email }))
  } catch (error) {
    if (!isRefusal(error)) console.error(error)
    const { status, headers, body } = isRefusal(error) ? replyOf(error) : { status: 500 }
    response.writeHead(status, headers).end(JSON.stringify(body))
  }
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log(server.address()))
process.once('SIGTERM', () => server.close(() => kennel.close()))
