import type { RefusalCode } from '../domain/refusal.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Rotation } from '../domain/identity/rotation.js'
import type { StorePort } from './store.js'

/** A request that was answered or aborted. None of these values is free text from a client. */
export type CompletedRequest = {
  /** `other` is used for methods that are not in `REQUEST_METHODS`. */
  readonly method: RequestMethod
  /** The pattern of the route, never the requested path; `unmatched` if no route matches. */
  readonly route: string
  /** `aborted` if the client disconnected before the response began. */
  readonly status: number | 'aborted'
  readonly duration: Milliseconds
}

/** The HTTP methods that are counted separately; all other methods count as `other`. */
export const REQUEST_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'other'] as const

/** A method from `REQUEST_METHODS`. */
export type RequestMethod = (typeof REQUEST_METHODS)[number]

/** How a use case ended: with success, a refusal, or an internal error (`fault`). */
export type UseCaseOutcome = 'success' | RefusalCode | 'fault'

/** The result of a refresh: the outcome of the rotation or, for a success in stateless mode, `renewed`. */
export type RefreshOutcome = Rotation['kind'] | 'renewed'

/**
 * Why sessions ended: `ended` by a logout or a new login; `revoked` together with all (other) sessions of the account, or because of the
 * session limit; `replayed` by a reused refresh token; `expired` at the end of their lifetime.
 */
export type SessionEnding = 'ended' | 'revoked' | 'replayed' | 'expired'

/** Why the server closed a connection: too many connections, unread responses, or too many pipelined requests. */
export type ConnectionEnding = 'refused' | 'stalled' | 'flooding'

/** How a call to a store ended: with a result, with `unavailable`, or with another error (`fault`). */
export type StoreOutcome = 'ok' | 'unavailable' | 'fault'

/**
 * The metrics of the service. Every label is from a closed list, so that clients cannot add labels, and no secret can appear in a label.
 * Hosts may pass wrong values, so implementations must limit the distinct routes and statuses to fewer than a thousand, and omit labels
 * longer than a thousand characters. No call may throw or block, even if a duration is negative because a clock was set back.
 */
export type Metrics = {
  /** Counts a request that was answered or aborted. */
  requestAnswered(request: CompletedRequest): void
  /** Counts a connection that the server closed. */
  connectionClosed(ending: ConnectionEnding): void
  /** Counts a login attempt, successful or not. */
  loginTried(outcome: UseCaseOutcome): void
  /** Counts a refresh whose token is authentic and not expired. */
  refreshTried(outcome: RefreshOutcome): void
  /** Counts a session that was opened by a login or an impersonation. */
  sessionOpened(): void
  /** Counts ended sessions; `count` is 0 or more. */
  sessionsEnded(ending: SessionEnding, count: number): void
  /** Reports the number of waiting password hashes. */
  hashesWaiting(count: number): void
  /** Records a computed password hash: `waited` is its time in the queue, `took` is the computing time. */
  hashComputed(times: { readonly waited: Milliseconds; readonly took: Milliseconds }): void
  /** Counts a password hash that was refused because too many were waiting. */
  hashRefused(): void
  /** Records the end of a call to a store. */
  storeCalled(port: StorePort, outcome: StoreOutcome, duration: Milliseconds): void
}
