import type { SessionCookieSettings } from '../settings.js'

/** `__Host-` makes browsers insist on Secure, Path=/ and no Domain. */
export function cookieName({ name, secure }: SessionCookieSettings): string {
  return secure ? `__Host-${name}` : name
}
