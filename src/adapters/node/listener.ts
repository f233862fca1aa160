import type { IncomingMessage, ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { directPartsOf } from '../../http/direct-parts.js'
import { asHeaders, createDirectReplies } from './direct-replies.js'
import { replyToHalfClosed } from './half-closed.js'
import { requestOf, sentTarget, targetOf } from './node-request.js'
import { fail, sendResponse } from './node-response.js'

/** A function from Request to Response, such as `createHandler` of `kennel-id/web` returns. */
export type WebHandler = (
  request: Request,
  info: { readonly address: string | undefined },
) => Response | Promise<Response>

/**
 * A listener of Node's own HTTP server, a middleware of Express and Connect, and an API route of Next.js. It answers every
 * request. `next` gets an error that the handler threw; without `next` the error goes to standard error and the reply is 500.
 */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error: unknown) => void,
) => void

/**
 * Serves a web handler on Node's HTTP/1 server. Bodies are streamed in both directions, with backpressure.
 * The handler gets the address at the other end of the connection, the path as the client sent it even if a
 * framework mounts the listener below a path, and a signal that is aborted when the client hangs up. If the
 * target of a request cannot be parsed, reading `url` throws; if the handler passes this error on, the reply
 * is 400. A client that closes its sending half still gets its replies: the listener sets `httpAllowHalfOpen` of the server.
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
    // Without a listener, the error of a closed connection would end the process.
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

/** `undefined` if the handler rejects after the client has hung up. */
async function responseTo(
  handler: WebHandler,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<Response | undefined> {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  try {
    return await handler(requestOf(incoming, gone.signal), { address: incoming.socket.remoteAddress })
  } catch (error) {
    if (response.destroyed) return undefined
    throw error
  }
}
