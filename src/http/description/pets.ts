import * as z from 'zod'
import type { HttpSettings } from '../settings.js'
import { constantHeader, type Headers } from './headers.js'
import * as refused from './refusals.js'
import { petRequirements } from './security.js'

/** Bodies of the pet endpoints, as they are. */
export const DRAFT = { name: 'Rex', tag: 'adopted', category: 'One' }
export const REX = { id: 1, ...DRAFT }
export const CHANGE = { bark: true, breed: 'Border Collie' }

/** What is said of each of the pet endpoints. */
export function petEndpoint(settings: HttpSettings) {
  return {
    tag: 'pets',
    security: petRequirements(settings),
    refusals: {
      401: refused.NO_CREDENTIALS,
      // Basic is counted like a login.
      ...(settings.limitsAttempts && takesBasic(settings) && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  } as const
}

const takesBasic = ({ petsSecurity }: HttpSettings) => petsSecurity !== 'key'

/** The schemes are listed as header parameters too, under the names of the specification. */
const apiKey = {
  ApiKeyAuth: z
    .string()
    .optional()
    .meta({
      description: 'An API key, instead of the scheme’s own header.',
      examples: ['kennel_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAM'],
    }),
}
const basic = {
  BasicAuth: z
    .string()
    .optional()
    .meta({
      description: 'Basic credentials (base64 of `email:password`), instead of `Authorization`.',
      examples: [`Basic ${btoa('ada@example.com:a long password')}`],
    }),
}

export function credentialParameters(settings: HttpSettings) {
  return takesBasic(settings) ? { ...apiKey, ...basic } : apiKey
}

export const petIdParameter = z.object({
  petId: z.string().meta({ description: 'The id of the pet.', param: { example: '1' } }),
})

export const condition = (description: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: ['"1-1"'] })

export const ETAG: Headers = {
  ETag: {
    description: 'Changes with every change of the pet.',
    required: true,
    schema: { type: 'string', pattern: '^"[0-9]+-[0-9]+"$' },
    example: '"1-1"',
  },
}

/** May be kept, but not be used again without asking. */
export const KEPT = 'private, no-cache'
export const KEPT_HEADERS: Headers = { 'Cache-Control': constantHeader(KEPT) }

/**
 * `Cache-Control` of replies with an `ETag` for `If-Match`. A proxy that compresses a reply makes its tag weak, and a weak
 * tag matches nothing (RFC 9110, 13.1.1); `no-transform` forbids that.
 */
export const KEPT_AS_IS = `${KEPT}, no-transform`
export const SENT_AS_IS = 'no-store, no-transform'
