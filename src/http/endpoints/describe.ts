import * as z from 'zod'
import { VERSION } from '../../domain/version.js'
import { base64url, CAN_ZIP, zip, takesGzip } from '../encoding.js'
import { constantHeader, type Headers } from '../description/headers.js'
import type { Endpoint, EndpointParts } from '../endpoint.js'
import { unlessFresh } from '../request/conditions.js'
import { optionalText } from '../schemas/validate.js'

const DEPENDS = 'Accept-Encoding'

const REVALIDATED: Headers = {
  'Cache-Control': constantHeader('no-cache', 'Revalidate a cached description before each use.'),
  ETag: {
    description: 'Changes whenever the description changes; the gzip form has a different value.',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{43}"$' },
    example: '"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"',
  },
  Vary: {
    description: 'The reply depends on whether the client accepts gzip.',
    required: true,
    schema: { type: 'string', pattern: `(^|, )${DEPENDS}$` },
    example: DEPENDS,
  },
}

const PACKED: Headers = {
  'Content-Encoding': { schema: { type: 'string', const: 'gzip' } },
}

const ifNoneMatch = optionalText({ description: '304 if the tag is current.', examples: ['"1-1"'] })

/** Declares `GET /openapi.json`. The description is built on the first request and never changes. */
export const describe: Endpoint = {
  method: 'GET',
  path: '/openapi.json',
  describe: () => ({
    id: 'describe',
    summary: 'This description',
    description: 'Describes this service with its configured addresses, headers and permissions.',
    parameters: { header: z.object({ 'If-None-Match': ifNoneMatch }) },
    replies: {
      200: {
        description: 'An OpenAPI 3.1 document',
        schema: z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) }),
        example: { openapi: '3.1.0', info: { title: 'Kennel', version: VERSION }, paths: {} },
        headers: { ...REVALIDATED, ...PACKED },
      },
      304: { description: 'Unchanged', headers: REVALIDATED },
    },
  }),
  work: (parts) => {
    let made: ReturnType<typeof makeDescription> | undefined
    return async ({ request }) => {
      const { plain, zipped } = await (made ??= makeDescription(parts))
      const isZipped = zipped !== undefined && takesGzip(request.header('accept-encoding'))
      const { bytes, tag } = isZipped ? zipped : plain
      const headers = { 'Cache-Control': 'no-cache', ETag: tag, Vary: DEPENDS }
      const reply = unlessFresh(request, { status: 200, headers, body: bytes })
      return isZipped && reply.body
        ? { ...reply, headers: { ...headers, 'Content-Encoding': 'gzip' } }
        : reply
    }
  },
}

/** The description, plain or compressed with gzip. The two versions have different entity tags (RFC 9110, 8.8.3.3). */
type EncodedDescription = { readonly bytes: Uint8Array; readonly tag: string }

async function makeDescription({
  describe: document,
}: EndpointParts): Promise<{ plain: EncodedDescription; zipped?: EncodedDescription }> {
  const bytes = new TextEncoder().encode(JSON.stringify(await document()))
  const plain = await formOf(bytes)
  return CAN_ZIP ? { plain, zipped: await formOf(await zip(bytes)) } : { plain }
}

async function formOf(bytes: Uint8Array<ArrayBuffer>): Promise<EncodedDescription> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return { bytes, tag: `"${base64url(String.fromCharCode(...hash))}"` }
}
