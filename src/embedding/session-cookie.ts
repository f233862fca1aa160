import { cookieValues } from '../http/request/cookie-values.js'
import { setCookie } from '../http/reply/reply-headers.js'
import { cookieName, type SessionCookieSettings } from '../http/settings.js'
import { refuse } from '../domain/refusal.js'

/** The session cookie in the form of headers, for hosts that set their own. */
export type SessionCookieHeaders = {
  /** `__Host-sid` where it is secure, else `sid`. */
  readonly name: string
  /** The `Set-Cookie` header that carries a key that was just issued. Refuses with `malformed` what is none. */
  set(sessionKey: string): string
  /** The one that takes the cookie away. */
  clear(): string
  /** The key in a `Cookie` header, `undefined` where there is none or two. */
  read(header: string | null | undefined): string | undefined
}

export function createSessionCookieHeaders(settings: SessionCookieSettings): SessionCookieHeaders {
  const name = cookieName(settings)
  const { issued, cleared } = setCookie(settings)
  return {
    name,
    set(sessionKey) {
      // Anything else could end the cookie and begin another attribute or another header.
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
