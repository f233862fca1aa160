import * as z from 'zod'
import type { Milliseconds } from '../../domain/instant.js'
import { RETRY_AFTER_HEADER } from '../description/headers.js'
import { errorSchema } from '../description/replies.js'
import type { Endpoint } from '../endpoint.js'
import type { Readiness } from '../parts.js'
import { RETRY_AFTER } from '../reply/failure.js'

const healthSchema = z.strictObject({ status: z.enum(['ok', 'unavailable']) }).meta({ id: 'Health' })

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

export const ready: Endpoint = {
  method: 'GET',
  path: '/health/ready',
  describe: () => ({
    id: 'ready',
    summary: 'Check that the service can handle requests',
    description: 'Send requests to the service only while this check returns 200.',
    replies: {
      200: { description: 'Ready', schema: healthSchema, example: { status: 'ok' } },
      503: {
        description:
          'The store is unavailable, audit records are lost, or the service is starting or stopping',
        schema: z.union([healthSchema, errorSchema]),
        example: { status: 'unavailable' },
        headers: RETRY_AFTER_HEADER,
        early: true,
      },
    },
  }),
  work:
    ({ readiness, probeTimeout }) =>
    async () => {
      if (await withinTimeout(readiness, probeTimeout)) return { status: 200, body: { status: 'ok' } }
      return { status: 503, headers: { 'Retry-After': RETRY_AFTER }, body: { status: 'unavailable' } }
    },
}

async function withinTimeout(readiness: Readiness, timeout: Milliseconds): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, timeout, false)
  })
  const answered = readiness().then(
    () => true,
    () => false,
  )
  const ok = await Promise.race([answered, late])
  clearTimeout(timer)
  return ok
}
