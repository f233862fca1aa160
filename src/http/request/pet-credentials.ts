import { wrongCredentials } from '../../application/access/api-keys.js'
import type { PetCredentials } from '../../application/catalogue/authenticate-pet-client.js'
import { bytesOfBase64 } from '../encoding.js'
import type { HttpRequest } from '../message.js'

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const ASCII = /^\p{ASCII}*$/u
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type Headers = Pick<HttpRequest, 'headerValues'>

/** The lower-case name of the API key header, and whether Basic is accepted. */
export type PetSchemes = { readonly apiKeyHeader: string; readonly basic: boolean }

/**
 * Reads the credentials of a pet route: the API key (in its configured header or `ApiKeyAuth`) and HTTP Basic (in `Authorization` or
 * `BasicAuth`). Ignores other schemes in `Authorization`. For each scheme, empty headers are ignored and equal values count once; different
 * or malformed values count as wrong credentials.
 */
export function readPetCredentials(request: Headers, { apiKeyHeader, basic }: PetSchemes): PetCredentials {
  const apiKey = single([...request.headerValues(apiKeyHeader), ...request.headerValues('apikeyauth')])
  const pair = basic ? basicOf(request) : undefined
  return { ...(apiKey !== undefined && { apiKey }), ...(pair && { basic: pair }) }
}

function basicOf(request: Headers): PetCredentials['basic'] {
  const values = [
    ...request.headerValues('authorization').filter(isBasic),
    ...request.headerValues('basicauth'),
  ]
  const encoded = single(values.map(withoutScheme))
  return encoded === undefined ? undefined : decodeBasic(encoded)
}

/** Returns the only value that is not empty; a generated client may send both headers of a scheme, or an empty header. */
function single(values: readonly string[]): string | undefined {
  const value = values.find((one) => one !== '')
  if (values.some((one) => one !== '' && one !== value))
    throw wrongCredentials('two credentials of the same scheme')
  return value
}

function isBasic(value: string): boolean {
  return /^basic(?:\s|$)/i.test(value)
}

/** The scheme name `Basic` is optional. */
function withoutScheme(value: string): string {
  return value.replace(/^basic /i, '')
}

/** Decodes `email:password` in UTF-8 and base64 (RFC 7617). */
function decodeBasic(encoded: string): { email: string; password: string } {
  if (!BASE64.test(encoded)) throw wrongCredentials('Basic credentials are not base64')
  const text = decodeBase64(encoded)
  const colon = text.indexOf(':')
  if (colon < 0) throw wrongCredentials('Basic credentials contain no colon')
  return { email: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** ASCII text, the usual case, needs no decoder. */
function decodeBase64(encoded: string): string {
  const binary = binaryOf(encoded)
  return ASCII.test(binary) ? binary : decodeUtf8(bytesOfBase64(encoded))
}

function binaryOf(encoded: string): string {
  try {
    return atob(encoded)
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
