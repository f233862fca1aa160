import { cookieValues } from '../http/request/credentials.js'
import { setCookie } from '../http/reply/reply-headers.js'
import { cookieName, type SessionCookieSettings } from '../http/parts.js'
import { malformed } from '../application/fields.js'
import { MUST_BE } from '../domain/messages.js'
import { isPositiveInteger } from '../domain/parsed.js'
import { refuse } from '../domain/refusal.js'

/** The session cookie as headers, for hosts that read and set cookies themselves. */
export type SessionCookieHeaders = {
  /** `__Host-sid` if the cookie is secure, and `sid` otherwise. */
  readonly name: string
  /**
   * The `Set-Cookie` header for a new session key; `maxAge` is the `cookieMaxAge` in the result of the login or refresh. Refuses an invalid
   * session key, and a `maxAge` that is not a positive integer, with `malformed`.
   */
  set(sessionKey: string, maxAge?: number): string
  /** The `Set-Cookie` header that deletes the cookie. */
  clear(): string
  /** Returns the session key in a `Cookie` header; returns `undefined` if this cookie is missing or occurs more than once. */
  read(header: string | null | undefined): string | undefined
}

export function createSessionCookieHeaders(settings: SessionCookieSettings): SessionCookieHeaders {
  const name = cookieName(settings)
  const { issued, cleared } = setCookie(settings)
  return {
    name,
    set(sessionKey, maxAge) {
      // Other characters could start another attribute or another header.
      if (typeof sessionKey !== 'string' || !/^[\w-]{1,200}$/.test(sessionKey))
        throw refuse('malformed', 'Format', 'This is not a valid session key.')
      if (maxAge !== undefined && !isPositiveInteger(maxAge)) throw malformed('maxAge', MUST_BE.id)
      return issued(sessionKey, maxAge)
    },
    clear: () => cleared,
    read(header) {
      if (header !== undefined && header !== null && typeof header !== 'string')
        throw refuse('malformed', 'Format', 'A Cookie header must be a string.')
      const found = cookieValues(header ?? '', name)
      return found.length === 1 ? found[0] : undefined
    },
  }
}
