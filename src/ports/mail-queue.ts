import type { Email } from '../domain/identity/email.js'
import type { MailJob, MailJobId } from '../domain/mail.js'
import type { Instant } from '../domain/instant.js'

/**
 * A job that a worker has claimed, and the time when the claim ends. If a job is claimed again, the later claim has a later end, so
 * `until` identifies the claim.
 */
export type MailClaim = { readonly id: MailJobId; readonly until: Instant }

/**
 * A queue of emails, ordered by ID. The queue is part of the store, so that no email is lost if a process ends. Any number of workers in
 * any number of processes may claim jobs.
 */
export type MailQueue = {
  /** Stores the job, or returns `full` if `max` jobs are already waiting. */
  enqueue(job: MailJob, max: number): Promise<'queued' | 'full'>
  /**
   * Claims the first unclaimed job that is due at `at`. The claim lasts until `until`, which is after `at`; during that time, other callers
   * get other jobs. Atomic: only one caller gets a job.
   */
  claim(at: Instant, until: Instant): Promise<MailJob | undefined>
  /** Returns at most `limit` unclaimed jobs that are due at `at`, with IDs above `after`. Changes nothing. */
  waiting(after: MailJobId | undefined, at: Instant, limit: number): Promise<readonly MailJob[]>
  /** Removes the listed jobs that are not claimed at `at`, and returns their IDs. Only one caller of `discard` or `claim` gets each job. */
  discard(ids: readonly MailJobId[], at: Instant): Promise<readonly MailJobId[]>
  /** Returns all jobs for this address, including claimed and future jobs, ordered by ID. Uses an index. */
  listTo(email: Email): Promise<readonly MailJob[]>
  /** Removes all jobs for this address, including claimed jobs that a worker may be sending; returns the number of removed jobs. */
  removeTo(email: Email): Promise<number>
  /**
   * Removes a job that has succeeded or been abandoned. Atomic; does nothing if another caller has claimed the job in the meantime, because
   * the email of the newer claim may contain a newer token. A second call is harmless.
   */
  remove(claim: MailClaim): Promise<void>
  /**
   * Releases the job, makes it due at `dueAt` and counts an attempt. Atomic; does nothing if the job was removed, was already postponed, or
   * has been claimed by another caller in the meantime.
   */
  postpone(claim: MailClaim, dueAt: Instant): Promise<void>
}
