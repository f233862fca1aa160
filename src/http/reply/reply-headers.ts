import { cookieName, type SessionCookieSettings } from '../settings.js'

/** What a page of another origin may read of a reply, besides what browsers show anyway. */
export const EXPOSED_HEADERS = ['x-next', 'Link', 'Location', 'ETag', 'Retry-After', 'X-Request-Id']

/** The form of an id that is passed on; one that is made has it too. */
export const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/

/** Sent with every reply; `Cache-Control` is loosened by the endpoints that may be cached. */
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
 * The id of a request: behind a proxy a well-formed one of the request is passed on, else a new one is made, since a
 * client that chooses it writes into the audit log.
 */
export function requestIdOf(given: string | undefined, isBelieved: boolean): string {
  return isBelieved && given !== undefined && REQUEST_ID.test(given) ? given : crypto.randomUUID()
}

/** The fixed headers as plain pairs, for replies that are written before there is a request to answer. */
export function bareHeaders(
  publicUrl: string,
): Readonly<Record<string, string>> & { 'X-Request-Id': string } {
  return { ...Object.fromEntries(fixedHeaders(publicUrl)), 'X-Request-Id': crypto.randomUUID() }
}

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
