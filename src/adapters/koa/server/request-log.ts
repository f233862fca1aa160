import type { Log } from '../../../ports/log.js'
import {
  REQUEST_METHODS,
  type CompletedRequest,
  type Metrics,
  type RequestMethod,
} from '../../../ports/metrics.js'
import type { Context, Middleware } from '../context.js'

/** Where requests are told of when they are over. */
export type RequestObservers = { readonly log: Log; readonly metrics?: Metrics | undefined }

/**
 * Tells of each request once it is over: one line of the log at `info`, and a number. The line has the
 * request's id, route, status, duration and account, and nothing that the client has written but an
 * id of the decided form.
 */
export function requestLog({ log, metrics }: RequestObservers): Middleware {
  return (ctx, next) => {
    if (!metrics && !log.enabled('info')) return next()
    const begun = performance.now()
    // On the connection's end as well, and once in any case: a client that hangs up is told of too.
    ctx.res.on('close', () => {
      const answered = answeredRequest(ctx, performance.now() - begun)
      metrics?.requestAnswered(answered)
      writeLine(log, ctx, answered)
    })
    return next()
  }
}

/** A request that ended before its head was there: it is unknown what it was and when it began. */
export type BrokenRequest = { readonly requestId: string; readonly status: number }

/** Tells of a request that no handler has seen, as of any other. */
export function tellBroken({ log, metrics }: RequestObservers, { requestId, status }: BrokenRequest): void {
  const unknown = { method: 'other', route: 'unmatched', status } as const
  metrics?.requestAnswered({ ...unknown, duration: 0 })
  log.info('request', { requestId, ...unknown })
}

function answeredRequest(ctx: Context, duration: number): CompletedRequest {
  const { req, res } = ctx
  return {
    method: METHODS.get(req.method ?? '') ?? 'other',
    route: routeOf(ctx),
    status: res.headersSent ? res.statusCode : 'aborted',
    duration,
  }
}

const METHODS = new Map<string, RequestMethod>(REQUEST_METHODS.map((method) => [method, method]))

type Routed = { readonly _matchedRoute?: unknown; readonly matched?: readonly { readonly path?: unknown }[] }

/** As the router wrote it down: that of the path alone where only the method did not fit. */
function routeOf(ctx: Context): string {
  const { _matchedRoute: route, matched } = ctx as unknown as Routed
  const pattern = route ?? matched?.[0]?.path
  return typeof pattern === 'string' ? pattern : 'unmatched'
}

function writeLine(
  log: Log,
  { state }: Context,
  { method, route, status, duration }: CompletedRequest,
): void {
  const { requestId, exchange: { identity, caller } = {} } = state
  const who = identity ?? caller
  const isAborted = status === 'aborted'
  // Written out in one piece: this runs for every request, and an object that grows costs as much as the rest of it.
  log.info(isAborted ? 'request aborted' : 'request', {
    requestId,
    method,
    route,
    status: isAborted ? undefined : status,
    durationMs: Math.round(duration * 100) / 100,
    accountId: who?.kind === 'account' ? who.accountId : undefined,
    apiKeyId: who?.kind === 'api-key' ? who.apiKeyId : undefined,
  })
}
