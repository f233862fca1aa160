import fresh from 'fresh'
import type { HttpReply, HttpRequest } from '../message.js'

/** The reply to a GET, or 304 if the client's copy is current (RFC 9110, 13). */
export function unlessFresh(
  request: HttpRequest,
  reply: HttpReply & { readonly headers: object },
): HttpReply {
  const noneMatch = request.header('if-none-match')
  const modifiedSince = request.header('if-modified-since')
  if (noneMatch === undefined && modifiedSince === undefined) return reply
  const conditions = {
    'if-none-match': noneMatch,
    'if-modified-since': modifiedSince,
    'cache-control': request.header('cache-control'),
  }
  return fresh(conditions, { etag: reply.headers['ETag'] }) ? { status: 304, headers: reply.headers } : reply
}
