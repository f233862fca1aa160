import type { Milliseconds } from '../../domain/instant.js'
import type { Headers } from '../description/headers.js'
import type { HttpReply, HttpRequest } from '../message.js'
import { setCookie } from '../reply/reply-headers.js'
import { cookieName, type HttpSettings, type SessionCookieSettings } from '../settings.js'
import { cookieValues } from './presented-session.js'

/** What a browser has requested: an email with a proof, or a challenge for a passkey. */
type Requested = 'proof' | 'passkey'

/** The cookie that contains the browser's secret; it exists in addition to the session cookie, and has the same attributes. */
function secretCookie(requested: Requested, { cookie }: Pick<HttpSettings, 'cookie'>): SessionCookieSettings {
  return { ...cookie, name: `${cookie.name}-${requested}` }
}

/** Returns the browser's secret from the request's cookie. */
export function browserSecretIn(
  requested: Requested,
  request: Pick<HttpRequest, 'header'>,
  settings: HttpSettings,
): string | undefined {
  const name = cookieName(secretCookie(requested, settings))
  const [secret, ...others] = cookieValues(request.header('cookie') ?? '', name)
  // If there are two cookies, one of them may come from a sibling host.
  return others.length > 0 ? undefined : secret
}

/** Returns the header that makes the browser keep its secret for this long. */
export function keptSecret(
  requested: Requested,
  { browserSecret, lifetime }: { readonly browserSecret: string; readonly lifetime: Milliseconds },
  settings: HttpSettings,
): NonNullable<HttpReply['headers']> {
  const cookie = setCookie(secretCookie(requested, settings))
  return { 'Set-Cookie': cookie.issued(browserSecret, lifetime / 1_000) }
}

/** Describes the header that `keptSecret` returns. */
export function keptSecretHeader(requested: Requested, description: string, settings: HttpSettings): Headers {
  const pattern = `^${cookieName(secretCookie(requested, settings))}=`
  return { 'Set-Cookie': { description, required: true, schema: { type: 'string', pattern } } }
}
