import * as z from 'zod'
import { constantHeader } from '../description/headers.js'
import type { Endpoint } from '../endpoint.js'

/** How many seconds a resource server may cache the keys. A new key may sign tokens only after this time, when all caches have expired. */
const MAX_AGE = 300

const HEADERS = {
  'Cache-Control': `public, max-age=${String(MAX_AGE)}`,
  'Access-Control-Allow-Origin': '*',
}

const keySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA').optional(),
})

/**
 * All keys that verify tokens (RFC 7517, 5), beginning with the key that signs tokens. Web pages from any origin may read the keys. The
 * endpoint does not exist if the keys are secret.
 */
export const publicKeys: Endpoint = {
  method: 'GET',
  path: '/.well-known/jwks.json',
  isOffered: (settings) => settings.publicKeys.length > 0,
  describe: (settings) => ({
    id: 'publicKeys',
    summary: 'Get the keys that verify tokens',
    description: 'A JSON Web Key Set (RFC 7517); the key that signs tokens comes first.',
    tag: 'identity',
    replies: {
      200: {
        description: 'The keys',
        schema: z.object({ keys: z.array(keySchema) }),
        example: { keys: settings.publicKeys },
        headers: {
          'Cache-Control': constantHeader(HEADERS['Cache-Control']),
          'Access-Control-Allow-Origin': constantHeader('*', 'Web pages from any origin may read the keys.'),
        },
      },
    },
  }),
  work: ({ settings }) => {
    const body = JSON.stringify({ keys: settings.publicKeys })
    return () => ({ status: 200, headers: HEADERS, body })
  },
}

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
