import { JSON_TYPE, type HttpReply } from '../../http/message.js'
import { mergedHeaders, setCookie } from '../../http/reply/reply-headers.js'
import type { SessionCookieSettings } from '../../http/settings.js'
import type { WebRequest } from './web-request.js'

/** Builds the `Response` for a reply, without a body for HEAD requests. The headers in `fixed` are sent with every reply. */
export type Responder = (
  reply: HttpReply,
  request: Pick<WebRequest, 'method' | 'requestId' | 'isBodyUnread'>,
  fixed: Readonly<Record<string, string>>,
) => Response

export function createResponder(settings: SessionCookieSettings): Responder {
  const cookie = setCookie(settings)
  return (reply, { method, requestId, isBodyUnread }, fixed) => {
    const { status, session, type = JSON_TYPE } = reply
    const headers = mergedHeaders({ ...fixed, 'X-Request-Id': requestId }, reply)
    // The rest of the request body may still arrive (RFC 9112, 9.3).
    if (isBodyUnread) headers['Connection'] = 'close'
    if (session !== undefined)
      headers['Set-Cookie'] =
        session === 'ended' ? cookie.cleared : cookie.issued(session.sessionKey, session.maxAge)
    const bytes = bytesOf(reply)
    if (!bytes) return new Response(null, { status, headers })
    headers['Content-Length'] = String(bytes.byteLength)
    if (bytes.byteLength > 0) headers['Content-Type'] = type
    return new Response(method === 'HEAD' || bytes.byteLength === 0 ? null : bytes, { status, headers })
  }
}

const utf8 = new TextEncoder()

/** Converts text to bytes, because the platform adds its own `Content-Type` to text. */
function bytesOf({ body }: HttpReply): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
  return utf8.encode(typeof body === 'string' ? body : JSON.stringify(body))
}
