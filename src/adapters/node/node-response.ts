import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { announcesBody, isHangUp, lingerAfterLast } from './unread-body.js'

/**
 * Sends a `Response` and resolves when it has been sent or the client has hung up. Rejects if the body fails, and then also ends the
 * connection. Also rejects if Node rejects the status or a header, and then removes all headers of the reply.
 */
export async function sendResponse(
  reply: Response,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { body } = reply
  try {
    // Node may not yet have parsed a body that arrived in the same packet as its headers.
    if (isArriving(incoming)) await setImmediate()
    if (response.destroyed || response.headersSent) return
    writeHead(reply, incoming, response)
    if (!body || incoming.method === 'HEAD') response.end()
    else await pipeline(Readable.fromWeb(body), response)
  } catch (error) {
    if (!isHangUp(error)) throw error
  } finally {
    if (body?.locked === false) body.cancel().catch(() => undefined)
  }
}

function writeHead(reply: Response, incoming: IncomingMessage, response: ServerResponse): void {
  try {
    for (const [name, value] of reply.headers) {
      // Each cookie needs a separate `Set-Cookie` header. An earlier middleware may have set cookies and the `Vary` header.
      if (name === 'set-cookie' || name === 'vary') response.appendHeader(name, value)
      else response.setHeader(name, value)
    }
    // The rest of the request body may still arrive (RFC 9112, 9.3).
    if (isArriving(incoming)) response.setHeader('Connection', 'close')
    if (response.getHeader('Connection') === 'close') lingerAfterLast(incoming.socket)
    response.writeHead(reply.status, reply.statusText || undefined)
  } catch (error) {
    for (const name of reply.headers.keys()) response.removeHeader(name)
    throw error
  }
}

function isArriving(incoming: IncomingMessage): boolean {
  return announcesBody(incoming) && !incoming.complete
}

/** Sends a reply without a body, or aborts a reply that has already begun. */
export function fail(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { 'Content-Length': 0, Connection: 'close' }).end()
}
