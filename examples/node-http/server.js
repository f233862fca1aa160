import { createServer } from 'node:http'
import { isRefusal, openKennel, replyOf } from 'kennel-id'
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

/** Greets who is logged in; all others get the refusal. What is none must not reject: there is no framework to catch it. */
async function hello(request, response) {
  try {
    const { email } = await kennel.identify(request)
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ hello: email }))
  } catch (error) {
    if (!isRefusal(error)) console.error(error)
    const { status, headers, body } = isRefusal(error) ? replyOf(error) : { status: 500 }
    response.writeHead(status, headers).end(JSON.stringify(body))
  }
}

const server = createServer((request, response) =>
  request.url === '/hello' ? hello(request, response) : listener(request, response),
)
server.listen(process.env.PORT ?? 3000, '127.0.0.1', () => console.log(server.address()))
process.once('SIGTERM', () => server.close(() => kennel.close()))
