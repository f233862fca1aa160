import bodyParser from 'koa-bodyparser'
import type { Context, Stage } from '../context.js'
import { HttpError } from '../reply/http-error.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a JSON body into `ctx.state.json`: 415 for another content type or charset, 413 beyond
 * the limit (also after unpacking), 400 for anything that is not one JSON object in UTF-8
 * without byte order mark. koa-bodyparser does the reading, the limit and the unpacking; it is
 * asked for bytes, because its own decoding drops a byte order mark and accepts broken UTF-8.
 */
export function jsonBody(options: { limit: number; types: readonly string[]; required: boolean }): Stage {
  const read = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: [...options.types] },
    textLimit: String(options.limit),
    ...AS_BYTES,
    onerror: (error) => {
      throw readingError(error)
    },
  })
  return async (ctx) => {
    if (hasBody(ctx)) {
      refuseOtherTypes(ctx, options.types)
      await read(ctx, () => Promise.resolve())
      ctx.state.json = parseObject(ctx.request.body as Uint8Array)
    } else if (options.required) {
      throw new HttpError(400, 'A JSON object is required as the body.')
    }
  }
}

/** An option of the reader below koa-bodyparser that its types do not name. */
const AS_BYTES: object = { encoding: false }

function hasBody(ctx: Context): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = ctx.req.headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

function refuseOtherTypes(ctx: Context, types: readonly string[]): void {
  const charset = ctx.request.charset.toLowerCase()
  if (ctx.is([...types]) && (charset === '' || charset === 'utf-8' || charset === 'utf8')) return
  throw new HttpError(415, `The body must be ${types.join(' or ')} in UTF-8.`)
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

function readingError(error: Error & { status?: number }): Error {
  if (error.status === 413) return new HttpError(413, 'The body is too large.')
  if (error.status === 415) return new HttpError(415, 'This content encoding is not supported.')
  return new HttpError(400, 'The body could not be read.')
}
