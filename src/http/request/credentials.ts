import { invalidToken } from '../../domain/refusal.js'
import type { HttpRequest, HttpReply } from '../message.js'
import { TOKEN_MAX } from '../../ports/tokens.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { Headers } from '../description/headers.js'
import { setCookie } from '../reply/reply-headers.js'
import { cookieName, type HttpSettings, type SessionCookieSettings } from '../parts.js'
import { wrongCredentials } from '../../application/access/authenticate-api-key.js'
import type { PetCredentials } from '../../application/catalogue/authenticate-pet-client.js'
import { bytesOfBase64 } from '../encoding.js'

const BEARER = /^bearer ([\x21-\x7e]+)$/i

/**
 * Reads the bearer token and the session cookie of a request to an identity route. Throws `invalid-token` if there are two token headers or
 * two session cookies, or if a header is not exactly `Bearer`, one space and a token of at most 8 kB. Ignores cookies if `cookieName` is
 * absent.
 */
export function readPresented(
  request: Pick<HttpRequest, 'header' | 'headerValues'>,
  header: string,
  cookieName: string | undefined,
): { readonly bearer: string | undefined; readonly sessionKey: string | undefined } {
  const bearer = bearerToken(request.headerValues(header))
  const sessionKey =
    cookieName === undefined ? undefined : readSessionKey(request.header('cookie'), cookieName)
  return { bearer, sessionKey }
}

function bearerToken(values: readonly string[]): string | undefined {
  const [value] = values
  if (value === undefined) return undefined
  if (values.length > 1) throw invalidToken('two authorization headers')
  const token = BEARER.exec(value)?.[1]
  if (token === undefined || token.length > TOKEN_MAX)
    throw invalidToken('the Authorization header does not have the expected form')
  return token
}

/** Returns the cookie's value; throws `invalid-token` if the cookie occurs twice. The host joins repeated `Cookie` headers. */
export function readSessionKey(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const [value, ...others] = cookieValues(header, name)
  if (others.length > 0) throw invalidToken('two session cookies')
  return value
}

/**
 * Returns the values of the cookies with exactly this name in a `Cookie` header, in order. Trims only SP and HTAB (RFC 6265bis). `trim()`
 * would also remove U+00A0, a BOM or 0x0B: a sibling host may set a cookie whose name begins with such a character, because browsers do not
 * apply the rules of `__Host-` to that name.
 */
export function cookieValues(header: string, name: string): readonly string[] {
  const prefix = `${name}=`
  return header
    .split(';')
    .map(withoutBlanks)
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length))
}

function withoutBlanks(text: string): string {
  return /[^ \t](?:.*[^ \t])?/s.exec(text)?.[0] ?? ''
}

/** What a browser has requested: an email with a proof, or a challenge for a passkey. */
type Requested = 'proof' | 'passkey'

/** The cookie that contains the browser's secret; it exists in addition to the session cookie, and has the same attributes. */
function secretCookie(requested: Requested, { cookie }: Pick<HttpSettings, 'cookie'>): SessionCookieSettings {
  return { ...cookie, name: `${cookie.name}-${requested}` }
}

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

export function keptSecretHeader(requested: Requested, description: string, settings: HttpSettings): Headers {
  const pattern = `^${cookieName(secretCookie(requested, settings))}=`
  return { 'Set-Cookie': { description, required: true, schema: { type: 'string', pattern } } }
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type RequestHeaders = Pick<HttpRequest, 'headerValues'>

/** The lower-case name of the API key header, and whether Basic is accepted. */
export type PetSchemes = { readonly apiKeyHeader: string; readonly basic: boolean }

/**
 * Reads the credentials of a pet route: the API key (in its configured header or `ApiKeyAuth`) and HTTP Basic (in `Authorization` or
 * `BasicAuth`). Ignores other schemes in `Authorization`. For each scheme, empty headers are ignored and equal values count once; different
 * or malformed values count as wrong credentials.
 */
export function readPetCredentials(
  request: RequestHeaders,
  { apiKeyHeader, basic }: PetSchemes,
): PetCredentials {
  const apiKey = single([...request.headerValues(apiKeyHeader), ...request.headerValues('apikeyauth')])
  const pair = basic ? basicOf(request) : undefined
  return { ...(apiKey !== undefined && { apiKey }), ...(pair && { basic: pair }) }
}

function basicOf(request: RequestHeaders): PetCredentials['basic'] {
  const values = [
    ...request.headerValues('authorization').filter((value) => /^basic(?:\s|$)/i.test(value)),
    ...request.headerValues('basicauth'),
  ]
  // The scheme name is optional.
  const encoded = single(values.map((value) => value.replace(/^basic /i, '')))
  return encoded === undefined ? undefined : decodeBasic(encoded)
}

/** Returns the only value that is not empty; a generated client may send both headers of a scheme, or an empty header. */
function single(values: readonly string[]): string | undefined {
  const value = values.find((one) => one !== '')
  if (values.some((one) => one !== '' && one !== value))
    throw wrongCredentials('two credentials of the same scheme')
  return value
}

/** Decodes `email:password` in UTF-8 and base64 (RFC 7617). */
function decodeBasic(encoded: string): { email: string; password: string } {
  if (!BASE64.test(encoded)) throw wrongCredentials('Basic credentials are not base64')
  const text = decodeUtf8(bytesOf(encoded))
  const colon = text.indexOf(':')
  if (colon < 0) throw wrongCredentials('Basic credentials contain no colon')
  return { email: text.slice(0, colon), password: text.slice(colon + 1) }
}

function bytesOf(encoded: string): Uint8Array {
  try {
    return bytesOfBase64(encoded)
  } catch {
    throw wrongCredentials('Basic credentials are not base64')
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw wrongCredentials('Basic credentials are not UTF-8')
  }
}
