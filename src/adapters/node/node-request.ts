import type { IncomingMessage } from 'node:http'
import { announcesBody } from './unread-body.js'

/** Converts Node's `IncomingMessage` to a `Request`; the body is not read until the handler reads it. */
export function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET' } = incoming
  const target = targetOf(incoming)
  const hasBody = method !== 'GET' && method !== 'HEAD' && announcesBody(incoming)
  const init: RequestInit = {
    // The `Request` constructor rejects the method TRACE.
    method: method === 'TRACE' ? 'OPTIONS' : method,
    signal,
    ...(hasBody && { body: bodyOf(incoming), duplex: 'half' }),
  }
  const request = new Request(target ?? 'http://localhost/', init)
  appendHeaders(request.headers, incoming)
  if (request.method !== method) Object.defineProperty(request, 'method', { value: method })
  return target === undefined ? Object.defineProperty(request, 'url', { get: unreadable }) : request
}

/** Returns the full URL of a request; `undefined` if the target cannot be parsed. */
export function targetOf(incoming: IncomingMessage): string | undefined {
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
export function sentTarget({ originalUrl, url = '' }: IncomingMessage & { originalUrl?: unknown }): string {
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
 * lost.
 */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const wasRead = incoming.readableDidRead
  const chunks = incoming.iterator({ destroyOnReturn: false })
  return new ReadableStream(
    {
      async pull(controller) {
        if (wasRead)
          throw new TypeError(
            'The request body was already read: mount the listener before other body readers.',
          )
        const { done, value } = (await chunks.next()) as IteratorResult<Uint8Array, undefined>
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return?.()
        incoming.resume()
      },
    },
    { highWaterMark: 0 },
  )
}
