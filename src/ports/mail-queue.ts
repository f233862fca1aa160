import type { Email } from '../domain/identity/email.js'
import type { MailJob, MailJobId } from '../domain/mail.js'
import type { Instant } from '../domain/instant.js'

/**
 * A job that `claim` has handed out, and until when. A later claim of the same job ends later, so `until` distinguishes
 * them.
 */
export type MailClaim = { readonly id: MailJobId; readonly until: Instant }

/**
 * Mails to send, ordered by ID and kept in the store: no mail is lost if a process ends. Any number of workers in any
 * number of processes may take jobs.
 */
export type MailQueue = {
  /** Stores the job and answers `queued`; answers `full` and stores nothing if `most` jobs wait already. */
  enqueue(job: MailJob, most: number): Promise<'queued' | 'full'>
  /**
   * The first unclaimed job that is due at `at`. It belongs to the caller until `until`, which is after `at`; meanwhile
   * other callers get other jobs. Atomic: only one caller gets a job.
   */
  claim(at: Instant, until: Instant): Promise<MailJob | undefined>
  /** Unclaimed jobs that are due at `at`, with IDs above `after`, at most `limit`. Changes nothing. */
  waiting(after: MailJobId | undefined, at: Instant, limit: number): Promise<readonly MailJob[]>
  /**
   * Removes the given jobs that are not claimed at `at`, and returns their IDs. Atomic: each job goes to one caller of
   * `discard` or `claim`.
   */
  discard(ids: readonly MailJobId[], at: Instant): Promise<readonly MailJobId[]>
  /** All jobs to this address, due or not and claimed or not, ordered by ID. Uses an index. */
  listTo(email: Email): Promise<readonly MailJob[]>
  /** Removes all jobs to this address, also claimed jobs that a worker may be sending; returns their number. */
  removeTo(email: Email): Promise<number>
  /**
   * Removes a job that is done or given up. Atomic; does nothing if another caller has claimed the job since: its mail
   * may hold a newer token. A second call is harmless.
   */
  remove(claim: MailClaim): Promise<void>
  /**
   * Releases the job until `dueAt` and counts one more attempt. Atomic; does nothing if the job is gone, was postponed
   * already, or another caller has claimed it since.
   */
  postpone(claim: MailClaim, dueAt: Instant): Promise<void>
}
