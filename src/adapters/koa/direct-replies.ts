import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpInterface } from '../../http/http-interface.js'
import { JSON_TYPE, type HttpReply } from '../../http/message.js'
import type { Route } from '../../http/routes.js'
import type { Log } from '../../ports/log.js'
import { announcesBody } from '../node/unread-body.js'
import { KoaRequest, type RequestSource } from './koa-request.js'

/** Replies to a request and returns true, or does nothing and returns false. */
export type DirectReplies = (req: IncomingMessage, res: ServerResponse) => boolean

export type DirectParts = {
  readonly http: HttpInterface
  readonly log: Log
  /** Reports a request after its end. */
  readonly observe: (source: RequestSource) => void
}

/** Targets without escapes, which need no decoding. */
const PLAIN_TARGET = /^((?:\/[\w.-]+)+)(?:\?([\w.=&-]*))?$/

/**
 * Replies to a GET without a body outside Koa's stack, to save the CPU time of the stack. The bytes of the reply, the log
 * line and the metrics are the same. No GET sets a cookie. All other requests are left to Koa.
 */
export function createDirectReplies(parts: DirectParts): DirectReplies {
  const { http, log } = parts
  return (req, res) => {
    if (req.method !== 'GET' || req.httpVersionMajor !== 1 || announcesBody(req)) return false
    const [, path, querystring = ''] = PLAIN_TARGET.exec(req.url ?? '') ?? []
    const found = path === undefined ? undefined : http.find('GET', path)
    // Headers that an application has set before must be merged.
    if (path === undefined || !found || res.getHeaderNames().length > 0) return false
    const { route, parameters: params } = found
    const source = { req, res, method: 'GET', path, querystring, params, state: { route: route.path } }
    reply(parts, route, source).catch((error: unknown) => {
      log.error('reply failed', { error })
      res.destroy()
    })
    return true
  }
}

async function reply({ http, observe }: DirectParts, route: Route, source: RequestSource): Promise<void> {
  const { res, state } = source
  observe(source)
  const request = new KoaRequest(source, http.proxies)
  const exchange = { request }
  state.exchange = exchange
  state.requestId = http.requestId(request.header('x-request-id'), request.peer)
  const first = { ...http.headersFor(request), 'X-Request-Id': state.requestId }
  const answer = await http.answer(route, exchange)
  // The client has hung up, or the server has refused the request.
  if (!res.destroyed && !res.headersSent) send(res, first, answer)
}

/** Head and body in one write. */
function send(res: ServerResponse, first: Readonly<Record<string, string>>, reply: HttpReply): void {
  const { status, headers, type = JSON_TYPE, body } = reply
  const all = { ...first, ...headers }
  if (headers?.['Vary'] && first['Vary']) all['Vary'] = `${first['Vary']}, ${headers['Vary']}`
  if (body === undefined) {
    res.writeHead(status, all).end()
    return
  }
  const content = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  all['Content-Type'] = type
  all['Content-Length'] = String(Buffer.byteLength(content))
  res.writeHead(status, all).end(content)
}
