import * as z from 'zod'
import { base64url, CAN_ZIP, zip } from '../encoding.js'
import { constantHeader, type Headers } from '../description/headers.js'
import { OPEN } from '../description/security.js'
import type { Endpoint, EndpointParts } from '../endpoint.js'
import { unlessFresh } from '../request/conditions.js'
import { takesGzip } from '../request/negotiate.js'

const DEPENDS = 'Accept-Encoding'

const VERSION: Headers = {
  'Cache-Control': constantHeader('no-cache', 'Ask each time whether it has changed.'),
  ETag: {
    description: 'Changes with the description, and is another one of the form that is packed with gzip.',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{43}"$' },
    example: '"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"',
  },
  Vary: {
    description: 'Who takes gzip gets it.',
    required: true,
    schema: { type: 'string', pattern: `(^|, )${DEPENDS}$` },
    example: DEPENDS,
  },
}

const PACKED: Headers = {
  'Content-Encoding': { schema: { type: 'string', const: 'gzip' } },
}

const ifNoneMatch = z
  .string()
  .optional()
  .meta({ description: 'Answers 304 where it still holds.', examples: ['"1-1"'] })

/** Made at the first request; from then on every reply has the same bytes. */
export const describe: Endpoint = {
  method: 'GET',
  path: '/openapi.json',
  describe: () => ({
    id: 'describe',
    summary: 'This description',
    description: 'It is that of this very service: of its addresses, its headers and what it grants.',
    tag: 'service',
    security: OPEN,
    parameters: { header: z.object({ 'If-None-Match': ifNoneMatch }) },
    replies: {
      200: {
        description: 'An OpenAPI 3.1 document',
        schema: z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) }),
        example: { openapi: '3.1.0', info: { title: 'Kennel', version: '1.0.0' }, paths: {} },
        headers: { ...VERSION, ...PACKED },
      },
      304: { description: 'Not changed since', headers: VERSION },
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

/** One of the forms in which it is sent, with a tag of its own (RFC 9110, 8.8.3.3). */
type Form = { readonly bytes: Uint8Array; readonly tag: string }

async function makeDescription({
  describe: document,
}: EndpointParts): Promise<{ plain: Form; zipped?: Form }> {
  const bytes = new TextEncoder().encode(JSON.stringify(await document()))
  const plain = await formOf(bytes)
  return CAN_ZIP ? { plain, zipped: await formOf(await zip(bytes)) } : { plain }
}

async function formOf(bytes: Uint8Array<ArrayBuffer>): Promise<Form> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return { bytes, tag: `"${base64url(String.fromCharCode(...hash))}"` }
}
