import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import type { Reply } from '../workplace/reply.js'
import { readJob } from '../workplace/processes.js'

/** The baseline server: Koa with one middleware that answers every request with the reply in its job. */
const { status, headers, body } = await readJob<Reply>()
const app = new Koa()
app.use((ctx) => {
  ctx.status = status
  for (const [name, value] of headers) ctx.set(name, value)
  ctx.body = body
})
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ address: `http://127.0.0.1:${port}` }))
})
process.once('SIGTERM', () => process.exit())
