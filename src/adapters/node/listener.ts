import type { IncomingMessage, ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { directPartsOf } from '../../http/direct-parts.js'
import { asHeaders, createDirectReplies } from './direct-replies.js'
import { replyToHalfClosed } from './half-closed.js'
import { requestOf, sentTarget, targetOf } from './node-request.js'
import { fail, sendResponse } from './node-response.js'

/** A web handler, such as the handler that `createHandler` of `kennel-id/web` returns. */
export type WebHandler = (
  request: Request,
  info: { readonly address: string | undefined },
) => Response | Promise<Response>

/**
 * A request listener for Node's HTTP server, an Express or Connect middleware, or a Next.js API route. The listener replies to every
 * request. Errors that the handler throws are passed to `next`; without `next`, the error is printed to standard error and the reply is
 * 500.
 */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error: unknown) => void,
) => void

/**
 * Serves a web handler on Node's HTTP/1 server. Bodies are streamed in both directions, with backpressure. The handler receives the peer's
 * address, a signal that is aborted when the client hangs up, and the path as the client sent it, even if a framework mounts the listener
 * under a path. If the request target cannot be parsed, reading `url` throws; if the handler passes this error on, the reply is 400. A
 * client that closes its sending side still gets its replies, because the listener sets `httpAllowHalfOpen` on the server.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import type { Kennel } from 'kennel-id'
 * import { createListener } from 'kennel-id/node'
 * import { createHandler } from 'kennel-id/web'
 *
 * declare const kennel: Kennel
 *
 * createServer(createListener(createHandler(kennel))).listen(3000)
 * ```
 */
export function createListener(handler: WebHandler): NodeListener {
  const parts = directPartsOf(handler)
  const replyDirectly = parts && createDirectReplies(parts, asHeaders)
  return (incoming, response, next) => {
    replyToHalfClosed(incoming.socket)
    // An unhandled error on a closed connection would end the process.
    response.on('error', () => undefined)
    if (replyDirectly?.(incoming, response, sentTarget(incoming))) return
    answer(handler, incoming, response).catch((error: unknown) => {
      if (targetOf(incoming) === undefined) fail(response, 400)
      else if (next && !response.headersSent) next(error)
      else {
        process.stderr.write(`${inspect(error)}\n`)
        fail(response, 500)
      }
    })
  }
}

async function answer(
  handler: WebHandler,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reply = await responseTo(handler, incoming, response)
  if (reply) await sendResponse(reply, incoming, response)
}

/** Returns `undefined` if the handler rejects after the client has hung up. */
async function responseTo(
  handler: WebHandler,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<Response | undefined> {
  const hangUp = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) hangUp.abort()
  })
  try {
    return await handler(requestOf(incoming, hangUp.signal), { address: incoming.socket.remoteAddress })
  } catch (error) {
    if (response.destroyed) return undefined
    throw error
  }
}
