import { REQUEST_METHODS, type CompletedRequest, type RequestMethod } from '../ports/metrics.js'
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
  { log, metrics }: RequestObservers,
  completed: CompletedRequest,
  { request: { requestId }, identity, caller }: Exchange,
): void {
  metrics?.requestAnswered(completed)
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
export function tellBroken({ log, metrics }: RequestObservers, { requestId, status }: BrokenRequest): void {
  const unknown = { method: 'other', route: UNMATCHED, status } as const
  metrics?.requestAnswered({ ...unknown, duration: 0 })
  log.info('request', { requestId, ...unknown })
}

/** The route of a path that there is not. */
export const UNMATCHED = 'unmatched'

const METHODS = new Map<string, RequestMethod>(REQUEST_METHODS.map((method) => [method, method]))

export function requestMethod(method: string): RequestMethod {
  return METHODS.get(method) ?? 'other'
}
