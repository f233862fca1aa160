import { cookieValues } from '../http/request/presented-session.js'
import { setCookie } from '../http/reply/reply-headers.js'
import { cookieName, type SessionCookieSettings } from '../http/settings.js'
import { refuse } from '../domain/refusal.js'

/** The session cookie as headers, for hosts that read and set cookies themselves. */
export type SessionCookieHeaders = {
  /** `__Host-sid` if the cookie is secure, and `sid` otherwise. */
  readonly name: string
  /** The `Set-Cookie` header for a new session key. Refuses any other text with `malformed`. */
  set(sessionKey: string): string
  /** The `Set-Cookie` header that deletes the cookie. */
  clear(): string
  /** The session key in a `Cookie` header; `undefined` if the header has no such cookie, or two. */
  read(header: string | null | undefined): string | undefined
}

export function createSessionCookieHeaders(settings: SessionCookieSettings): SessionCookieHeaders {
  const name = cookieName(settings)
  const { issued, cleared } = setCookie(settings)
  return {
    name,
    set(sessionKey) {
      // Other characters could begin another attribute or another header.
      if (typeof sessionKey !== 'string' || !/^[\w-]{1,200}$/.test(sessionKey))
        throw refuse('malformed', 'Format', 'This is no session key.')
      return issued(sessionKey)
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
