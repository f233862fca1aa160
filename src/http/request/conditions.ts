import fresh from 'fresh'
import type { Pet, PetId, Revision } from '../../domain/catalogue/pet.js'
import type { HttpReply, HttpRequest } from '../message.js'

/** A strong entity tag (RFC 9110, 8.8.3), different for each revision of a pet. */
export function entityTag({ id, revision }: Pet): string {
  return `"${String(id)}-${String(revision)}"`
}

/**
 * Returns the revisions of this pet that an `If-Match` header lists; returns `undefined` if there is no condition (the header is absent or
 * `*`). Ignores weak tags and tags of other pets, so a header without a usable tag matches no revision.
 */
export function expectedRevisions(header: string | undefined, id: PetId): readonly Revision[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const prefix = `"${String(id)}-`
  return header.split(',').flatMap((one) => {
    const tag = one.trim()
    const number = tag.startsWith(prefix) && tag.endsWith('"') ? tag.slice(prefix.length, -1) : ''
    return /^[1-9][0-9]{0,15}$/.test(number) ? [Number(number) as Revision] : []
  })
}

/** Returns the reply to a GET, or 304 if the client's copy is current (RFC 9110, 13). */
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
