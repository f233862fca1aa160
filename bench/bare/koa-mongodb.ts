import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { MongoClient } from 'mongodb'
import { readJob } from '../workplace/processes.js'
import type { Reply } from '../workplace/reply.js'

export type BareKoaMongodbJob = { readonly url: string; readonly reply: Reply }

/**
 * The peer of get-identity: Koa with one middleware that finds one document by an indexed field of
 * the request and then sends the reply that its job contains.
 */
const { url, reply } = await readJob<BareKoaMongodbJob>()
const client = await new MongoClient(url, { maxPoolSize: 50 }).connect()
const sessions = client.db().collection('sessions')
const app = new Koa()
app.use(async (ctx) => {
  if (!(await sessions.findOne({ digests: ctx.get('x-digest') }))) ctx.throw(401)
  ctx.status = reply.status
  for (const [name, value] of reply.headers) ctx.set(name, value)
  ctx.body = reply.body
})
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ address: `http://127.0.0.1:${port}` }))
})
process.once('SIGTERM', () => process.exit())
