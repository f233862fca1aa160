import type { RequestObservers } from '../../../http/parts.js'
import { isObserved, requestMethod, tellRequest, UNMATCHED } from '../../../http/request-log.js'
import type { Middleware } from '../context.js'

/** Tells of each request once it is over. */
export function requestLog(observers: RequestObservers): Middleware {
  return (ctx, next) => {
    if (!isObserved(observers)) return next()
    const begun = performance.now()
    // On the connection's end as well, and once in any case: a client that hangs up is told of too.
    ctx.res.on('close', () => {
      const { res, state } = ctx
      if (!state.exchange) return
      const method = requestMethod(ctx.req.method ?? '')
      const { route = UNMATCHED } = state
      const status = res.headersSent ? res.statusCode : 'aborted'
      const duration = performance.now() - begun
      tellRequest(observers, { method, route, status, duration }, state.exchange)
    })
    return next()
  }
}
