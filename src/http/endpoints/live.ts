import { OPEN } from '../description/security.js'
import type { Endpoint } from '../endpoint.js'
import { healthSchema } from '../schemas/common.js'

export const live: Endpoint = {
  method: 'GET',
  path: '/health/live',
  describe: () => ({
    id: 'live',
    summary: 'The process answers',
    description: 'Says nothing about the store: restart the service only where this does not answer.',
    tag: 'service',
    security: OPEN,
    replies: { 200: { description: 'Alive', schema: healthSchema, example: { status: 'ok' } } },
  }),
  work: () => () => ({ status: 200, body: { status: 'ok' } }),
}
