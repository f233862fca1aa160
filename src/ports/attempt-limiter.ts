import type { Instant, Milliseconds } from '../domain/instant.js'

/** At most `count` attempts within `window`, which begins with the first attempt. */
export type AttemptLimit = { readonly count: number; readonly window: Milliseconds }

/** A name under which attempts are counted, such as an account or a network, with its limit. */
export type AttemptCount = { readonly name: string; readonly limit: AttemptLimit }

/** A counted attempt, for a refund. */
export type Attempt = {
  readonly counts: readonly { readonly name: string; readonly until: Instant }[]
}

/** Whether an attempt may be made. */
export type AttemptOutcome =
  | { readonly kind: 'taken'; readonly attempt: Attempt }
  /** At least one name is at its limit, until `until`. */
  | { readonly kind: 'refused'; readonly until: Instant }

/**
 * Counts attempts by name, such as an account or a client address. A count is forgotten when its window ends, so no
 * account is locked out for good. A power failure may lose a few counts.
 */
export type AttemptLimiter = {
  /**
   * Counts an attempt under each name, or under no name if any name is at its limit. Each name has its own limit and
   * window, and is in `counts` once, the narrowest first. Any number of callers, in any number of processes, get at most
   * `limit.count` attempts per name and window, apart from refunds. A refused attempt counts for nothing.
   */
  take(counts: readonly AttemptCount[], at: Instant): Promise<AttemptOutcome>
  /**
   * Undoes the counts of an attempt, each in its window; a window that has ended stays as it is. Called once per attempt.
   */
  refund(attempt: Attempt): Promise<void>
  /**
   * Forgets the counts under these names, and under every name that begins with one of them and a space, such as the counts of an
   * account from each network. The next attempts have the whole limit again.
   */
  clear(names: readonly string[]): Promise<void>
  /** Removes counts whose window has ended at `at`, at most `limit` in one call; returns their number. */
  purge(at: Instant, limit: number): Promise<number>
}
