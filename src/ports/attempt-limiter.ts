import type { Instant, Milliseconds } from '../domain/instant.js'

/** So many attempts in so much time, from the first of them on. */
export type AttemptLimit = { readonly count: number; readonly window: Milliseconds }

/** What was counted, to be given back. */
export type Attempt = {
  readonly counts: readonly { readonly name: string; readonly until: Instant }[]
}

/** Whether an attempt may be made. */
export type AttemptOutcome =
  | { readonly kind: 'taken'; readonly attempt: Attempt }
  /** One of the names is at its limit; from `until` on it is not. */
  | { readonly kind: 'refused'; readonly until: Instant }

/**
 * Counts attempts by name, such as an account or a client address. A count is forgotten when its
 * window is over, so nobody is locked out for good. What is lost with a power failure is a few counts.
 */
export type AttemptLimiter = {
  /**
   * Counts an attempt under each name, or under none where one of them is at its limit. Of any
   * number of callers, in any number of processes, no more than `limit.count` are taken by a name
   * in one window, but for those that were given back.
   */
  take(names: readonly string[], limit: AttemptLimit, at: Instant): Promise<AttemptOutcome>
  /** Takes the attempt off the counts that it was put on; of a window that is over nothing is left. Not twice. */
  giveBack(attempt: Attempt): Promise<void>
  /** Removes counts whose window is over at `at`; returns how many. At most `limit` in one call. */
  purge(at: Instant, limit: number): Promise<number>
}
