import type { HttpReply } from '../message.js'
import { cookieName, type SessionCookieSettings } from '../parts.js'

/** Reply headers that a page from another origin may read, in addition to the headers that browsers always expose. */
export const EXPOSED_HEADERS = ['x-next', 'Link', 'Location', 'ETag', 'Retry-After', 'X-Request-Id']

export const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/

/** Headers of every reply. Endpoints with a cacheable reply override `Cache-Control`. */
export function fixedHeaders(publicUrl: string): ReadonlyMap<string, string> {
  const headers = new Map([
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ])
  if (publicUrl.startsWith('https:')) headers.set('Strict-Transport-Security', 'max-age=31536000')
  return headers
}

/**
 * Returns the id of a request: a well-formed id from a trusted proxy, otherwise a new id. A client must not choose the id, because the id
 * is written to the audit log.
 */
export function requestIdOf(header: string | undefined, isBelieved: boolean): string {
  return isBelieved && header !== undefined && REQUEST_ID.test(header) ? header : crypto.randomUUID()
}

/** Returns the headers of every reply, overridden by the headers of this reply; the two values of `Vary` are combined. */
export function mergedHeaders(
  first: Readonly<Record<string, string>>,
  { headers }: Pick<HttpReply, 'headers'>,
): Record<string, string> {
  const merged: Record<string, string> = { ...first, ...headers }
  if (headers?.['Vary'] && first['Vary']) merged['Vary'] = `${first['Vary']}, ${headers['Vary']}`
  return merged
}

/** The headers of a reply outside the HTTP interface, such as the reply to a broken request. */
export function bareHeaders(
  publicUrl: string,
): Readonly<Record<string, string>> & { 'X-Request-Id': string } {
  return { ...Object.fromEntries(fixedHeaders(publicUrl)), 'X-Request-Id': crypto.randomUUID() }
}

/** `Set-Cookie` headers of the session cookie; without `maxAge` they are byte-for-byte identical to koa-session's headers. */
export function setCookie(settings: SessionCookieSettings) {
  const { secure, sameSite } = settings
  const name = cookieName(settings)
  const flags = `; samesite=${sameSite}${secure ? '; secure' : ''}; httponly${sameSite === 'none' ? '; partitioned' : ''}`
  return {
    /** Sets the session key for `maxAge` seconds, or by default until the browser's session ends. */
    issued: (sessionKey: string, maxAge?: number) =>
      `${name}=${sessionKey}; path=/${maxAge === undefined ? '' : `; max-age=${maxAge}`}${flags}`,
    /** Removes the cookie. */
    cleared: `${name}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT${flags}`,
  }
}
