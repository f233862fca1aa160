import { parse } from 'content-type'
import type { BodyRule } from '../endpoint.js'
import type { Stage } from '../message.js'
import { HttpError } from '../reply/failure.js'
import type { HttpSettings } from '../parts.js'

/** Maximum size of a body on the identity routes, in bytes. */
const IDENTITY_LIMIT = 16 * 1024

const NOTHING = new Uint8Array()

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a JSON body. Throws 415 for a wrong content type or charset, 413 if the body exceeds the limit before or after decompression, and
 * 400 unless the body is a JSON object in UTF-8 without a byte order mark. An optional body without bytes counts as absent, regardless of
 * the headers.
 */
export function jsonBody(
  { content, limit, required }: BodyRule,
  { bodyLimit }: Pick<HttpSettings, 'bodyLimit'>,
): Stage {
  const types = Object.keys(content)
  const bytes = limit === 'identity' ? IDENTITY_LIMIT : bodyLimit
  return async (exchange) => {
    const { request } = exchange
    const type = request.header('content-type')
    // Rejects a required body of an unsupported type before reading it.
    if (required && request.hasBody) refuseOtherTypes(type, types)
    const body = request.hasBody ? await request.readBody(bytes) : NOTHING
    if (body.length > 0) {
      refuseOtherTypes(type, types)
      exchange.json = parseObject(body)
    } else if (required) {
      throw new HttpError(400, 'A JSON object is required as the body.')
    }
  }
}

function refuseOtherTypes(header: string | undefined, types: readonly string[]): void {
  const { type, charset } = contentType(header)
  if (types.includes(type) && (charset === undefined || charset === 'utf-8' || charset === 'utf8')) return
  throw new HttpError(415, `The body must be ${types.join(' or ')} in UTF-8.`)
}

/** The media type and charset of a `Content-Type` header. A malformed parameter is treated as a missing charset. */
export function contentType(header = ''): { readonly type: string; readonly charset: string | undefined } {
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  try {
    return { type, charset: parse(header).parameters['charset']?.toLowerCase() }
  } catch {
    return { type, charset: undefined }
  }
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw new HttpError(400, 'The body is not valid JSON in UTF-8.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new HttpError(400, 'The body must be a JSON object.')
}
