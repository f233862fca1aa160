import { request, type RequestOptions } from 'node:https'
import { text } from 'node:stream/consumers'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { once } from 'node:events'

export type TlsCall = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: object
}

export type TlsReply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request to a TLS proxy on 127.0.0.1 from this source address, without verifying the certificate. */
export async function askOverTls(
  port: number,
  address: string,
  path: string,
  call: TlsCall,
): Promise<TlsReply> {
  const { method = 'GET', headers = {}, json } = call
  const options: RequestOptions = {
    host: '127.0.0.1',
    port,
    path,
    method,
    localAddress: address,
    agent: false,
  }
  const type = json && { 'Content-Type': 'application/json' }
  const asking = request({ ...options, headers: { ...type, ...headers }, rejectUnauthorized: false })
  asking.end(json && JSON.stringify(json))
  const [reply] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: reply.statusCode ?? 0, headers: reply.headers, text: await text(reply) }
}
