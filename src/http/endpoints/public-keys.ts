import * as z from 'zod'
import { constantHeader } from '../description/headers.js'
import { OPEN } from '../description/security.js'
import type { Endpoint } from '../endpoint.js'

/**
 * How long a resource server may go on with the keys that it has, in seconds: after this time a
 * key that was added is known everywhere, and may sign.
 */
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
 * Every key that still verifies (RFC 7517, 5), the one that signs now first. Every client may read it, pages of other
 * origins too. There is nothing at the path where the keys are secret.
 */
export const publicKeys: Endpoint = {
  method: 'GET',
  path: '/.well-known/jwks.json',
  isOffered: (settings) => settings.publicKeys.length > 0,
  describe: (settings) => ({
    id: 'publicKeys',
    summary: 'The keys that verify tokens',
    description: 'A JSON Web Key Set (RFC 7517); the key that signs now comes first.',
    tag: 'identity',
    security: OPEN,
    replies: {
      200: {
        description: 'The keys',
        schema: z.object({ keys: z.array(keySchema) }),
        example: { keys: settings.publicKeys },
        headers: {
          'Cache-Control': constantHeader(HEADERS['Cache-Control']),
          'Access-Control-Allow-Origin': constantHeader('*', 'Pages of any origin may read them.'),
        },
      },
    },
  }),
  work: ({ settings }) => {
    const body = JSON.stringify({ keys: settings.publicKeys })
    return () => ({ status: 200, headers: HEADERS, body })
  },
}
