import type { Email } from '../domain/identity/email.js'
import type { MailJob, MailJobId } from '../domain/mail.js'
import type { Instant } from '../domain/instant.js'

/**
 * A job that `claim` has given out, and until when. The next claim of a job begins when this one has run out, and so ends
 * later: the moment tells them apart.
 */
export type MailClaim = { readonly id: MailJobId; readonly until: Instant }

/**
 * Mails that have to leave, in the order of their ids, kept in the store: none is lost where a
 * process ends. Any number of workers in any number of processes may take from it.
 */
export type MailQueue = {
  /** Kept when it resolves with `queued`. `full`, and nothing is kept, where `most` wait already. */
  enqueue(job: MailJob, most: number): Promise<'queued' | 'full'>
  /**
   * The first job that is due at `at` and not claimed; it is the caller's until `until`, and
   * another caller before that gets another one. Atomic: of any number of callers one gets it. `until` is after `at`.
   */
  claim(at: Instant, until: Instant): Promise<MailJob | undefined>
  /** Jobs that are due at `at` and not claimed, with ids above `after`, at most `limit`. Changes nothing. */
  waiting(after: MailJobId | undefined, at: Instant, limit: number): Promise<readonly MailJob[]>
  /**
   * Removes those of these that are not claimed at `at`, and gives their ids. Of any number of
   * callers, and of `claim`, each is one's.
   */
  discard(ids: readonly MailJobId[], at: Instant): Promise<readonly MailJobId[]>
  /** All to this address, due or not and claimed or not, in the order of their ids; from an index. */
  listTo(email: Email): Promise<readonly MailJob[]>
  /** Removes all to this address, also those that a worker has claimed and may be sending; returns how many. */
  removeTo(email: Email): Promise<number>
  /**
   * It is done, or given up. Atomic, and nothing where another caller has claimed it since: it is that one's, which may
   * have made a token that is in no mail yet. Twice is harmless.
   */
  remove(claim: MailClaim): Promise<void>
  /**
   * Not claimed any more, not due before `dueAt`, tried once more. Atomic, and nothing where it is gone, was postponed
   * already, or another caller has claimed it since.
   */
  postpone(claim: MailClaim, dueAt: Instant): Promise<void>
}
