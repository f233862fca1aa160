import type { IncomingMessage } from 'node:http'
import { announcesBody } from './unread-body.js'

/** The Request that a client sent. Nothing is read from its body before the handler reads it. */
export function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET' } = incoming
  const target = targetOf(incoming)
  const hasBody = method !== 'GET' && method !== 'HEAD' && announcesBody(incoming)
  const init: RequestInit = {
    // The constructor of Request refuses TRACE.
    method: method === 'TRACE' ? 'OPTIONS' : method,
    signal,
    ...(hasBody && { body: bodyOf(incoming), duplex: 'half' }),
  }
  const request = new Request(target ?? 'http://localhost/', init)
  appendHeaders(request.headers, incoming)
  if (request.method !== method) Object.defineProperty(request, 'method', { value: method })
  return target === undefined ? Object.defineProperty(request, 'url', { get: unreadable }) : request
}

/** The whole URL of a request; `undefined` if its target cannot be parsed. */
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

/** The target as the client sent it. Frameworks shorten `url` by the path below which they mount a listener. */
export function sentTarget({ originalUrl, url = '' }: IncomingMessage & { originalUrl?: unknown }): string {
  return typeof originalUrl === 'string' ? originalUrl : url
}

/** Replaces any other text by `localhost`, because it could end the host and begin the path. */
function hostOf(host = ''): string {
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`) ? host : 'localhost'
}

function unreadable(): never {
  throw new TypeError('The target of the request cannot be parsed.')
}

/**
 * Joins repeated headers, because Node would drop some of them. A constructor would trim the joined value,
 * and turn two empty headers into the text `,`.
 */
function appendHeaders(headers: Headers, { rawHeaders }: IncomingMessage): void {
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
}

/**
 * Reads and discards the rest of a cancelled body: Node's own stream would destroy the connection, and the
 * reply with it.
 */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const isTaken = incoming.readableDidRead
  const chunks = incoming.iterator({ destroyOnReturn: false })
  return new ReadableStream(
    {
      async pull(controller) {
        if (isTaken) throw new TypeError('The body of the request was read before: mount the listener first.')
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
