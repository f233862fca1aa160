import type { RefusalCode } from '../domain/refusal.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Rotation } from '../domain/identity/rotation.js'
import type { StorePort } from './store.js'

/** One request that was answered, or whose client has gone. A client can choose none of its values freely. */
export type CompletedRequest = {
  /** `other` for every method that is not in the list. */
  readonly method: RequestMethod
  /** The route's pattern, never the requested path; `unmatched` without a route. */
  readonly route: string
  /** `aborted` if the client hung up before the answer began. */
  readonly status: number | 'aborted'
  readonly duration: Milliseconds
}

/** Every method with a separate label. */
export const REQUEST_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'other'] as const

/** One of `REQUEST_METHODS`. */
export type RequestMethod = (typeof REQUEST_METHODS)[number]

/** How a use case ended: it succeeded, refused with a code, or failed by an internal error. */
export type UseCaseOutcome = 'success' | RefusalCode | 'fault'

/** Result of a refresh: `renewed` without sessions, otherwise the result of the rotation. */
export type RefreshOutcome = Rotation['kind'] | 'renewed'

/**
 * Why sessions ended: `ended` by a logout or a new login, `revoked` with all (other) sessions of their account or because
 * of the session limit, `replayed` by a spent refresh token, `expired` by their time.
 */
export type SessionEnding = 'ended' | 'revoked' | 'replayed' | 'expired'

/**
 * Why the server closed a connection: there were too many, its client did not read the answers, or its client sent too
 * many requests ahead of them.
 */
export type ConnectionEnding = 'refused' | 'stalled' | 'flooding'

/** How a call of a store ended: an answer, `unavailable`, or any other error. */
export type StoreOutcome = 'ok' | 'unavailable' | 'fault'

/**
 * The metrics of the service. Every label is from a closed list, so that no client can make it grow and no secret can
 * be in it. A host may pass wrong values, so fewer than a thousand routes and statuses are distinguished, and no label
 * of more than a thousand characters is shown. No call may throw or wait, even if a clock was set back and a time is
 * negative.
 */
export type Metrics = {
  /** A request that was answered or aborted. */
  requestAnswered(request: CompletedRequest): void
  /** The server closed a connection. */
  connectionClosed(ending: ConnectionEnding): void
  /** A login, successful or not. */
  loginTried(outcome: UseCaseOutcome): void
  /** A refresh whose token is authentic and not expired. */
  refreshTried(outcome: RefreshOutcome): void
  /** A session that a login or an impersonation has opened. */
  sessionOpened(): void
  /** `count` sessions, 0 or more, ended for one reason. */
  sessionsEnded(ending: SessionEnding, count: number): void
  /** How many password hashes are waiting now. */
  hashesWaiting(count: number): void
  /** A password hash that was computed: how long it waited, and how long it took. */
  hashComputed(times: { readonly waited: Milliseconds; readonly took: Milliseconds }): void
  /** A password hash that was not started because too many were waiting. */
  hashRefused(): void
  /** A call of a store that was answered. */
  storeCalled(port: StorePort, outcome: StoreOutcome, duration: Milliseconds): void
}
