import * as z from 'zod'
import type { Endpoint } from '../endpoint.js'

/**
 * The origins outside the RP ID whose pages may use the passkeys (WebAuthn Level 3, 5.11). Browsers request this document from the RP ID.
 * The endpoint exists only if related origins are configured.
 */
export const relatedOrigins: Endpoint = {
  method: 'GET',
  path: '/.well-known/webauthn',
  isOffered: ({ passkeyDomain }) => (passkeyDomain?.relatedOrigins ?? []).length > 0,
  describe: ({ passkeyDomain }) => ({
    id: 'relatedOrigins',
    summary: 'Get the related origins for passkeys',
    description: 'Browsers read this document before they use a passkey on a page of a related origin.',
    tag: 'identity',
    replies: {
      200: {
        description: 'The origins',
        schema: z.strictObject({ origins: z.array(z.string()) }),
        example: { origins: passkeyDomain?.relatedOrigins },
      },
    },
  }),
  work: ({ settings }) => {
    const body = JSON.stringify({ origins: settings.passkeyDomain?.relatedOrigins })
    return () => ({ status: 200, body })
  },
}
