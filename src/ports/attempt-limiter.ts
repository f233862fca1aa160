import type { Instant, Milliseconds } from '../domain/instant.js'

/** So many attempts in so much time, from the first of them on. */
export type AttemptLimit = { readonly count: number; readonly window: Milliseconds }

/** A name to count an attempt under, such as an account or a network, with a limit of its own. */
export type AttemptCount = { readonly name: string; readonly limit: AttemptLimit }

/** What was counted, to be refunded. */
export type Attempt = {
  readonly counts: readonly { readonly name: string; readonly until: Instant }[]
}

/** Whether an attempt may be made. */
export type AttemptOutcome =
  | { readonly kind: 'taken'; readonly attempt: Attempt }
  /** Names are at their limit; from `until` on none of them is. */
  | { readonly kind: 'refused'; readonly until: Instant }

/**
 * Counts attempts by name, such as an account or a client address. A count is forgotten when its
 * window is over, so no account is locked out for good. What is lost with a power failure is a few counts.
 */
export type AttemptLimiter = {
  /**
   * Counts an attempt under each name, or under none where one of them is at its limit. Every name
   * has its own limit and its own window, and is in `counts` once; the narrowest comes first. Of any
   * number of callers, in any number of processes, no more than its `limit.count` are taken by a
   * name in one window, except for those that were refunded; and none is refused by an attempt that is itself refused.
   */
  take(counts: readonly AttemptCount[], at: Instant): Promise<AttemptOutcome>
  /**
   * Takes the attempt off the counts that it was put on, each in the window that it was counted in;
   * where that is over nothing changes. Called once for an attempt.
   */
  refund(attempt: Attempt): Promise<void>
  /** Removes counts whose window is over at `at`; returns how many. At most `limit` in one call. */
  purge(at: Instant, limit: number): Promise<number>
}
