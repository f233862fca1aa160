import type { IncomingMessage, ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { directPartsOf } from '../../http/direct-parts.js'
import { asHeaders, createDirectReplies } from './direct-replies.js'
import { replyToHalfClosed, announcesBody, isHangUp, lingerAfterLast } from './connection.js'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'

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
 * address, a signal that is aborted when the client hangs up or another part of the server replies first, and the path as the client sent
 * it, even if a framework mounts the listener under a path. If the request target cannot be parsed, reading `url` throws; if the handler
 * passes this error on, the reply is 400. A client that closes its sending side still gets its replies, because the listener sets
 * `httpAllowHalfOpen` on the server. Throws a TypeError if `handler` is not a function.
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
  if (typeof handler !== 'function')
    throw new TypeError('createListener needs a web handler, such as the result of createHandler.')
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

/** Returns `undefined` if the handler rejects after the client has hung up or another part of the server has replied. */
async function responseTo(
  handler: WebHandler,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<Response | undefined> {
  const hangUp = new AbortController()
  let isWaiting = true
  response.once('close', () => {
    // If a request breaks off, the server may send a reply while the handler still waits for the body.
    if (isWaiting || !response.writableFinished) hangUp.abort()
  })
  try {
    return await handler(requestOf(incoming, hangUp.signal), { address: incoming.socket.remoteAddress })
  } catch (error) {
    if (response.destroyed) return undefined
    throw error
  } finally {
    isWaiting = false
  }
}

/** Converts Node's `IncomingMessage` to a `Request`; the body is not read until the handler reads it. */
export function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET' } = incoming
  const target = targetOf(incoming)
  const hasBody = method !== 'GET' && method !== 'HEAD' && announcesBody(incoming)
  const init: RequestInit = {
    // The `Request` constructor rejects the method TRACE.
    method: method === 'TRACE' ? 'OPTIONS' : method,
    signal,
    ...(hasBody && { body: bodyOf(incoming, signal), duplex: 'half' }),
  }
  const request = new Request(target ?? 'http://localhost/', init)
  appendHeaders(request.headers, incoming)
  if (request.method !== method) Object.defineProperty(request, 'method', { value: method })
  return target === undefined ? Object.defineProperty(request, 'url', { get: unreadable }) : request
}

/** Returns the full URL of a request; `undefined` if the target cannot be parsed. */
function targetOf(incoming: IncomingMessage): string | undefined {
  const { headers, socket } = incoming
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  const target = sentTarget(incoming)
  if (target.startsWith('/')) return new URL(`${scheme}://${hostOf(headers.host)}${target}`).href
  if (target === '*') return `${scheme}://${hostOf(headers.host)}/*`
  if (!URL.canParse(target)) return undefined
  const { host, pathname, search } = new URL(target)
  return pathname.startsWith('/') ? `${scheme}://${hostOf(host)}${pathname}${search}` : undefined
}

/** Returns the target as the client sent it: frameworks strip the mount path from `url`. */
function sentTarget({ originalUrl, url = '' }: IncomingMessage & { originalUrl?: unknown }): string {
  return typeof originalUrl === 'string' ? originalUrl : url
}

/** Returns the host, or `localhost` if the text is not a valid host: in a URL, invalid text could end the host and begin a path. */
function hostOf(host = ''): string {
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`) ? host : 'localhost'
}

function unreadable(): never {
  throw new TypeError('The target of the request cannot be parsed.')
}

/**
 * Appends raw headers one by one, because Node would drop some repeated headers. The `Request` constructor would trim joined values and
 * turn two empty headers into `,`.
 */
function appendHeaders(headers: Headers, { rawHeaders }: IncomingMessage): void {
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
}

/**
 * Streams the body. Canceling the stream discards the rest of the body; otherwise, Node would destroy the connection and the reply would be
 * lost. When the signal is aborted, the stream fails, because Node never ends a body whose client stops sending after the reply. If the
 * client sends the rest after all, it is discarded, so that the connection can be reused.
 */
function bodyOf(incoming: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  const wasRead = incoming.readableDidRead
  const chunks = incoming.iterator({ destroyOnReturn: false })
  const discard = async () => {
    await chunks.return?.()
    incoming.resume()
  }
  return new ReadableStream(
    {
      start(controller) {
        signal.addEventListener('abort', () => {
          controller.error(signal.reason)
          discard().catch(() => undefined)
        })
      },
      async pull(controller) {
        if (wasRead)
          throw new TypeError(
            'The request body was already read: mount the listener before other body readers.',
          )
        const { done, value } = (await chunks.next()) as IteratorResult<Uint8Array, undefined>
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      cancel: discard,
    },
    { highWaterMark: 0 },
  )
}

/**
 * Sends a `Response` and resolves when it has been sent or the client has hung up. Rejects if the body fails, and then also ends the
 * connection. Also rejects if Node rejects the status or a header, and then removes all headers of the reply.
 */
async function sendResponse(
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
function fail(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { 'Content-Length': 0, Connection: 'close' }).end()
}
