import type { RefusalCode } from '../domain/refusal.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Rotation } from '../domain/identity/rotation.js'
import type { StorePort } from './store.js'

/** One request that has its answer, or whose client has gone without one. Nothing in it was chosen freely by a client. */
export type CompletedRequest = {
  /** `other` where it is none of those that the service knows. */
  readonly method: RequestMethod
  /** The route's pattern, never the path that was asked for; `unmatched` where there is none. */
  readonly route: string
  /** `aborted` where the client hung up before the answer began. */
  readonly status: number | 'aborted'
  readonly duration: Milliseconds
}

/** Every method that is told apart. */
export const REQUEST_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'other'] as const

/** One of `REQUEST_METHODS`. */
export type RequestMethod = (typeof REQUEST_METHODS)[number]

/** How a use case ended: it succeeded, refused with a code, or failed by an error of ours. */
export type UseCaseOutcome = 'success' | RefusalCode | 'fault'

/** What became of a refresh token: `renewed` without sessions, else what the session's rotation said. */
export type RefreshOutcome = Rotation['kind'] | 'renewed'

/**
 * Why sessions ended: `ended` by a logout or a new login, `revoked` with all or all others of their account or as one too
 * many, by a spent refresh token, or by their time.
 */
export type SessionEnding = 'ended' | 'revoked' | 'replayed' | 'expired'

/**
 * Why the server closed a connection: it was one too many, its client did not read its answers, or sent too
 * many requests ahead of them.
 */
export type ConnectionEnding = 'refused' | 'stalled' | 'flooding'

/** How a call of a store ended: an answer, `unavailable`, or anything else that was thrown. */
export type StoreOutcome = 'ok' | 'unavailable' | 'fault'

/**
 * Where the service tells its numbers. Every label is of a closed list, so that nothing that a client sends can make it
 * grow, and no secret can be in it; a host may err, so fewer than a thousand routes and statuses are told apart, and none
 * that is longer than a thousand characters is shown. No call may throw or wait, whatever a clock that was put back makes
 * of a time.
 */
export type Metrics = {
  /** A request that is over. */
  requestAnswered(request: CompletedRequest): void
  /** A connection that the server has closed on its own account. */
  connectionClosed(ending: ConnectionEnding): void
  /** A login, good or not. */
  loginTried(outcome: UseCaseOutcome): void
  /** A refresh whose token is authentic and in time. */
  refreshTried(outcome: RefreshOutcome): void
  /** A session that a login or an impersonation has opened. */
  sessionOpened(): void
  /** So many sessions, 0 or more, ended for one reason. */
  sessionsEnded(ending: SessionEnding, count: number): void
  /** How many password hashes wait for their turn now. */
  hashesWaiting(count: number): void
  /** A password hash that was computed: how long it waited, and how long it took. */
  hashComputed(times: { readonly waited: Milliseconds; readonly took: Milliseconds }): void
  /** A password hash that was not even begun, because too many were waiting. */
  hashRefused(): void
  /** A call of a store that has its answer. */
  storeCalled(port: StorePort, outcome: StoreOutcome, duration: Milliseconds): void
}
