import type { IncomingMessage } from 'node:http'
import { wrongCredentials, type PetCredentials } from '../../application/catalogue/authenticate-pet-client.js'
import { headerValues } from './headers.js'

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads the credentials of a pet route: the API key (in its configured header or `ApiKeyAuth`)
 * and HTTP Basic (in `Authorization` or `BasicAuth`). Another scheme in `Authorization` is no
 * credential here. A credential that came twice, or that cannot be decoded, is wrong.
 */
export function readPetCredentials(request: IncomingMessage, apiKeyHeader: string): PetCredentials {
  // The configured header may be `ApiKeyAuth` itself; what came once is then to be read once.
  const apiKeyHeaders = [...new Set([apiKeyHeader, 'apikeyauth'])]
  const apiKey = single(apiKeyHeaders.flatMap((name) => headerValues(request, name)))
  const basic = single([
    ...headerValues(request, 'authorization').filter(isBasic),
    ...headerValues(request, 'basicauth'),
  ])
  return {
    ...(apiKey !== undefined && { apiKey }),
    ...(basic !== undefined && { basic: decodeBasic(basic) }),
  }
}

function single(values: readonly string[]): string | undefined {
  if (values.length > 1) throw wrongCredentials('one credential was presented twice')
  return values[0]
}

function isBasic(value: string): boolean {
  return /^basic(?:\s|$)/i.test(value)
}

/** `email:password` in UTF-8 and base64 (RFC 7617); the word `Basic` may be missing. */
function decodeBasic(value: string): { email: string; password: string } {
  const encoded = value.replace(/^basic /i, '')
  if (!BASE64.test(encoded)) throw wrongCredentials('Basic credentials are not base64')
  const text = decodeUtf8(Buffer.from(encoded, 'base64'))
  const colon = text.indexOf(':')
  if (colon < 0) throw wrongCredentials('Basic credentials hold no colon')
  return { email: text.slice(0, colon), password: text.slice(colon + 1) }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw wrongCredentials('Basic credentials are not UTF-8')
  }
}
