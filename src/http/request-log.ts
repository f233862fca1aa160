import { REQUEST_METHODS, type CompletedRequest, type Metrics, type RequestMethod } from '../ports/metrics.js'
import type { Exchange } from './exchange.js'
import type { RequestObservers } from './parts.js'

/** Whether anybody listens. */
export function isObserved({ log, metrics }: RequestObservers): boolean {
  return metrics !== undefined || log.enabled('info')
}

/**
 * Tells of a request that is over: one line of the log at `info`, and a number. The line has the request's id, route,
 * status, duration and account, and nothing that the client has written but an id of the decided form.
 */
export function tellRequest(
  observers: RequestObservers,
  completed: CompletedRequest,
  { request: { requestId }, identity, caller }: Exchange,
): void {
  const { log } = observers
  count(observers, (metrics) => metrics.requestAnswered(completed))
  const { method, route, status, duration } = completed
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

/** A request that ended before its head was there: it is unknown what it was and when it began. */
export type BrokenRequest = { readonly requestId: string; readonly status: number }

/** Tells of a request that no endpoint has seen, as of any other. */
export function tellBroken(observers: RequestObservers, { requestId, status }: BrokenRequest): void {
  const unknown = { method: 'other', route: UNMATCHED, status } as const
  count(observers, (metrics) => metrics.requestAnswered({ ...unknown, duration: 0 }))
  observers.log.info('request', { requestId, ...unknown })
}

/**
 * Calls metrics that may be the caller's own part. An error of theirs is logged: in a listener of a connection it would end
 * the process.
 */
export function count({ log, metrics }: Partial<RequestObservers>, tell: (metrics: Metrics) => void): void {
  try {
    if (metrics) tell(metrics)
  } catch (error) {
    log?.error('metrics failed', { error })
  }
}

/** The route of a path that there is not. */
export const UNMATCHED = 'unmatched'

const METHODS = new Map<string, RequestMethod>(REQUEST_METHODS.map((method) => [method, method]))

export function requestMethod(method: string): RequestMethod {
  return METHODS.get(method) ?? 'other'
}
