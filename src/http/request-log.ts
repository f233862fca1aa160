import { REQUEST_METHODS, type CompletedRequest, type Metrics, type RequestMethod } from '../ports/metrics.js'
import type { Exchange } from './message.js'
import type { RequestObservers, HttpSettings } from './parts.js'
import { isRefusal, type RefusalCode } from '../domain/refusal.js'

export function isObserved({ log, metrics }: RequestObservers): boolean {
  return metrics !== undefined || log.enabled('info')
}

/**
 * Counts a finished request and logs it in one line at `info`, with request id, route, status, duration and account. The line contains no
 * text that the client sent, except a well-formed request id.
 */
export function reportRequest(
  observers: RequestObservers,
  completed: CompletedRequest,
  { request: { requestId }, identity, caller, reason }: Exchange,
): void {
  const { log } = observers
  count(observers, (metrics) => metrics.requestAnswered(completed))
  const { method, route, status, duration } = completed
  const who = identity ?? caller
  const isAborted = status === 'aborted'
  // The entry is one object literal, because this code runs for every request and adding members later would double its cost.
  log.info(isAborted ? 'request aborted' : 'request', {
    requestId,
    method,
    route,
    status: isAborted ? undefined : status,
    durationMs: Math.round(duration * 100) / 100,
    accountId: who?.kind === 'account' ? who.accountId : undefined,
    apiKeyId: who?.kind === 'api-key' ? who.apiKeyId : undefined,
    detail: reason,
  })
}

/** A request that ended before its headers arrived, so its method, route and duration are unknown. */
export type BrokenRequest = { readonly requestId: string; readonly status: number }

export function reportBrokenRequest(observers: RequestObservers, { requestId, status }: BrokenRequest): void {
  const unknown = { method: 'other', route: UNMATCHED, status } as const
  count(observers, (metrics) => metrics.requestAnswered({ ...unknown, duration: 0 }))
  observers.log.info('request', { requestId, ...unknown })
}

/**
 * Updates the metrics, and logs any error thrown by custom metrics, because an error thrown in a connection listener would end the process.
 */
export function count({ log, metrics }: Partial<RequestObservers>, update: (metrics: Metrics) => void): void {
  try {
    if (metrics) update(metrics)
  } catch (error) {
    log?.error('metrics failed', { error })
  }
}

/** The route name that logs and metrics use for unknown paths. */
export const UNMATCHED = 'unmatched'

const METHODS = new Map<string, RequestMethod>(REQUEST_METHODS.map((method) => [method, method]))

export function requestMethod(method: string): RequestMethod {
  return METHODS.get(method) ?? 'other'
}

type ReadSettings = Pick<HttpSettings, 'authorizationHeader' | 'stateless'>

/**
 * Returns why credentials were rejected with 401; for the log only, because the reply does not reveal the reason. The reason contains no
 * text that the client sent. Returns `undefined` for any other error.
 */
export function reasonOf(error: unknown, exchange: Exchange, settings: ReadSettings): string | undefined {
  if (!isRefusal(error) || !CODES.includes(error.code)) return undefined
  const { accessToken, sessionKey } = exchange.presented ?? {}
  if (!exchange.presented || (accessToken && (sessionKey !== undefined || settings.stateless)))
    return error.detail
  if (accessToken) return 'the session cookie is missing'
  const { authorizationHeader: name } = settings
  if (/^bearer /i.test(exchange.request.header('authorization') ?? ''))
    return `the access token is in Authorization, but the service reads it from ${name}`
  return sessionKey === undefined ? `the header ${name} is missing` : `the cookie came without ${name}`
}

/** The refusal codes for a missing or invalid login (401). */
const CODES: readonly RefusalCode[] = ['invalid-token', 'unauthenticated']
