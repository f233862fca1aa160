import * as z from 'zod'
import type { HttpSettings } from '../settings.js'
import { constantHeader, type Headers } from './headers.js'
import { NO_CREDENTIALS, tooManyAttempts, type Refusals } from './refusals.js'
import { optionalText } from '../schemas/validate.js'

/** Example bodies for the pet endpoints. */
export const DRAFT = { name: 'Rex', tag: 'adopted', category: 'One' }
export const REX = { id: 1, ...DRAFT }
export const CHANGE = { bark: true, breed: 'Border Collie' }

/** The refusals that all pet endpoints share. */
export function petRefusals(settings: HttpSettings): Refusals {
  return {
    401: NO_CREDENTIALS,
    // A request with Basic credentials counts as a login attempt.
    ...(takesBasic(settings) && tooManyAttempts(settings)),
  }
}

const takesBasic = ({ petsSecurity }: HttpSettings) => petsSecurity !== 'key'

/** The specification of the pet catalog also lists the schemes as header parameters, under these names. */
const apiKey = {
  ApiKeyAuth: optionalText({
    description: 'An API key, sent in this header instead of the header that the scheme defines.',
    examples: ['kennel_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAM'],
  }),
}
const basic = {
  BasicAuth: optionalText({
    description:
      'Basic credentials (base64 of `email:password`), sent in this header instead of `Authorization`.',
    examples: [`Basic ${btoa('ada@example.com:a long walk in the park')}`],
  }),
}

export function credentialParameters(settings: HttpSettings) {
  return takesBasic(settings) ? { ...apiKey, ...basic } : apiKey
}

export const petIdParameter = z.object({
  petId: z.string().meta({ description: 'The id of the pet.', param: { example: '1' } }),
})

export const condition = (description: string) => optionalText({ description, examples: ['"1-1"'] })

export const ETAG: Headers = {
  ETag: {
    description: 'Changes whenever the pet changes.',
    required: true,
    schema: { type: 'string', pattern: '^"[0-9]+-[0-9]+"$' },
    example: '"1-1"',
  },
}

/** Clients may cache the reply, but must revalidate it before each use. */
export const KEPT = 'private, no-cache'
export const KEPT_HEADERS: Headers = { 'Cache-Control': constantHeader(KEPT) }

/**
 * The `Cache-Control` header of replies whose `ETag` clients send back in `If-Match`. `no-transform` forbids compression by a proxy, which
 * would make the tag weak; a weak tag matches nothing (RFC 9110, 13.1.1).
 */
export const KEPT_AS_IS = `${KEPT}, no-transform`
export const SENT_AS_IS = 'no-store, no-transform'
