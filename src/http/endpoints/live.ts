import { OPEN } from '../description/security.js'
import type { Endpoint } from '../endpoint.js'
import { healthSchema } from '../schemas/common.js'

export const live: Endpoint = {
  method: 'GET',
  path: '/health/live',
  describe: () => ({
    id: 'live',
    summary: 'Check that the process answers',
    description: 'Does not depend on the store. Restart the service only if this check fails.',
    tag: 'service',
    security: OPEN,
    replies: { 200: { description: 'Alive', schema: healthSchema, example: { status: 'ok' } } },
  }),
  work: () => () => ({ status: 200, body: { status: 'ok' } }),
}
