import type Router from '@koa/router'
import type { Milliseconds } from '../../../domain/instant.js'
import type { Middleware, RequestState } from '../context.js'
import { RETRY_AFTER } from '../reply/failure.js'

/** Longest that a readiness probe waits for the store, in milliseconds. */
export const PROBE_TIMEOUT = 2000

/** Rejects while the service should get no requests: its store is away, or it is stopping. */
export type Readiness = () => Promise<void>

/** Liveness and readiness, without credentials; they tell nothing else. */
export function healthRoutes(
  router: Router<RequestState>,
  readiness: Readiness,
  timeout: Milliseconds,
): void {
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/health/ready', ready(readiness, timeout))
}

function ready(readiness: Readiness, timeout: Milliseconds): Middleware {
  return async (ctx) => {
    const ok = await withinTimeout(readiness, timeout)
    ctx.status = ok ? 200 : 503
    if (!ok) ctx.set('Retry-After', RETRY_AFTER)
    ctx.body = { status: ok ? 'ok' : 'unavailable' }
  }
}

async function withinTimeout(readiness: Readiness, timeout: Milliseconds): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
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
