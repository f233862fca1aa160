import type { Instant, Milliseconds } from '../domain/instant.js'

/** At most `count` attempts within `window`, which begins with the first attempt. */
export type AttemptLimit = { readonly count: number; readonly window: Milliseconds }

/** A name under which attempts are counted, such as an account or a network, and its limit. */
export type AttemptCount = { readonly name: string; readonly limit: AttemptLimit }

/** A counted attempt that can be refunded. */
export type Attempt = {
  readonly counts: readonly { readonly name: string; readonly until: Instant }[]
}

/** Whether the attempt is allowed. */
export type AttemptOutcome =
  | { readonly kind: 'taken'; readonly attempt: Attempt }
  /** At least one name is at its limit, until `until`. */
  | { readonly kind: 'refused'; readonly until: Instant }

/**
 * Counts attempts by name, such as an account or a client address. A count is deleted when its window ends, so no
 * account is locked permanently. A power failure may lose a few counts.
 */
export type AttemptLimiter = {
  /**
   * Counts an attempt under each name, or under none if any name is at its limit. Each name has its own limit and window and occurs only
   * once in `counts`; the narrowest limit comes first. Any number of callers, in any number of processes, get at most `limit.count`
   * attempts per name and window, apart from refunds. Refused attempts are not counted.
   */
  take(counts: readonly AttemptCount[], at: Instant): Promise<AttemptOutcome>
  /** Removes the attempt from each window that counted it and is still open. Called once per attempt. */
  refund(attempt: Attempt): Promise<void>
  /**
   * Deletes the counts with these names, and all counts whose names begin with one of these names and a space, such as the counts of an
   * account from each network. Afterwards, the full limit is available again.
   */
  clear(names: readonly string[]): Promise<void>
  /** Removes at most `limit` counts whose window has ended by `at`; returns the number removed. */
  purge(at: Instant, limit: number): Promise<number>
}
