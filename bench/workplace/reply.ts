import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Headers } from '../load/requests.js'
import { script, startServer, type ServerProcess } from './processes.js'

/** A reply in the form in which the application created it. */
export type Reply = {
  readonly status: number
  /** The headers in order, without the headers that Node and Koa add to every reply. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

const ADDED = new Set(['date', 'connection', 'keep-alive', 'content-length'])

/** Returns the reply of a server to one GET request. */
export async function ask(url: string, headers: Headers): Promise<Reply> {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, agent: false }, resolve).on('error', reject).end()
  })
  const raw = incoming.rawHeaders
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []))
  return {
    status: incoming.statusCode ?? 0,
    headers: pairs.filter(([name]) => !ADDED.has(name.toLowerCase())),
    body: await text(incoming),
  }
}

/** Starts bare Koa with this reply, and checks that it sends the same status, headers and bytes. */
export async function startBareKoa(reply: Reply): Promise<ServerProcess> {
  const peer = await startServer({ args: [script('bare/koa')], place: 'server', input: reply })
  const sent = await ask(peer.address, {})
  if (JSON.stringify(inOrder(sent)) !== JSON.stringify(inOrder(reply))) {
    throw new Error('the peer does not send the reply of the service')
  }
  return peer
}

/** Sorts the headers, because Koa determines the position of the content type. */
function inOrder({ headers, ...rest }: Reply): object {
  return { ...rest, headers: headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`).sort() }
}
