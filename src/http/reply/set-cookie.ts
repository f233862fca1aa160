import { cookieName, type SessionCookieSettings } from '../settings.js'

/** `Set-Cookie` headers of the session cookie, to the byte as koa-session writes them. */
export type SetCookie = {
  /** Carries the key of a session for as long as the browser's session lasts. */
  readonly issued: (sessionKey: string) => string
  /** Takes the cookie away. */
  readonly cleared: string
}

export function setCookie(settings: SessionCookieSettings): SetCookie {
  const { secure, sameSite } = settings
  const name = cookieName(settings)
  const flags = `; samesite=${sameSite}${secure ? '; secure' : ''}; httponly${sameSite === 'none' ? '; partitioned' : ''}`
  return {
    issued: (sessionKey) => `${name}=${sessionKey}; path=/${flags}`,
    cleared: `${name}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT${flags}`,
  }
}
