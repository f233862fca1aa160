import * as z from 'zod'
import type { Endpoint } from '../endpoint.js'

export const healthSchema = z.strictObject({ status: z.enum(['ok', 'unavailable']) }).meta({ id: 'Health' })

/** Declares `GET /health/live`. */
export const live: Endpoint = {
  method: 'GET',
  path: '/health/live',
  describe: () => ({
    id: 'live',
    summary: 'Check that the process responds',
    description: 'Does not depend on the store. Restart the service only if this check fails.',
    replies: { 200: { description: 'Alive', schema: healthSchema, example: { status: 'ok' } } },
  }),
  work: () => () => ({ status: 200, body: { status: 'ok' } }),
}
