import { invalidToken } from '../../domain/refusal.js'
import type { HttpRequest } from '../message.js'
import { TOKEN_MAX } from '../../ports/tokens.js'

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
  let [begin, end] = [0, text.length]
  while (begin < end && isBlank(text.charCodeAt(begin))) begin += 1
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end -= 1
  return text.slice(begin, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
