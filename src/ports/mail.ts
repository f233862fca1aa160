import type { Email } from '../domain/identity/email.js'
import type { Instant } from '../domain/instant.js'
import type { MailJob, MailJobId, FactorChange, MailKind, PasskeyChange } from '../domain/mail.js'

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

/** An email without its envelope. */
export type MailText = { readonly subject: string; readonly text: string; readonly html: string }

/** An email and its recipient. */
export type Mail = MailText & { readonly to: Email }

/** The result of sending an email. `detail` is for the log and contains no part of the email. */
export type Delivery =
  /** A mail server accepted the email. */
  | { readonly kind: 'sent' }
  /** Permanently refused, for example because the mailbox does not exist. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** Temporarily refused because of this mail, for example because the mailbox is full. */
  | { readonly kind: 'deferred'; readonly detail: string }
  /** No mail can be sent now. The email may have been sent if the connection broke late. */
  | { readonly kind: 'unreachable'; readonly detail: string }

/** Sends emails. Server and network errors are returned as results; no call rejects. */
export type Mailer = {
  /**
   * Sends the email once, to this address only. Returns `refused` for an ambiguous address, and prevents text in the email from becoming a
   * header. Resolves within two minutes; an email that takes longer may be sent twice.
   */
  send(mail: Mail): Promise<Delivery>
  /** Closes connections. A second call is harmless. */
  close(): Promise<void>
}

/** The account, time and client address of an action; the address is empty if unknown. */
type Occasion = { readonly email: string; readonly time: string; readonly address: string }
/** `client` is a short name, such as `Firefox 130 on Linux`, or empty if the client is unknown. */
type ClientNotice = Occasion & { readonly client: string }

/** `link` contains the token of a proof; `lifetime` says how long the link is valid, such as `24 hours`. */
type ProofValues = { readonly email: string; readonly link: string; readonly lifetime: string }

/** The values that templates may insert, by kind of email. The templates escape the values. */
export type MailValues = {
  readonly 'reset-password': {
    readonly email: string
    /** Contains the token, so anyone who reads the link can set the password. */
    readonly link: string
    /** How long the link stays valid. */
    readonly minutes: string
  }
  readonly 'password-changed': { readonly email: string }
  /** The link or the code creates an account. */
  readonly 'sign-up': ProofValues & { readonly code: string }
  /** Sent instead of `sign-up` if an account already has the email; `link` leads to the page for a new password. */
  readonly 'account-exists': { readonly email: string; readonly link: string }
  /** An operator approved the account, which can log in now. */
  readonly approved: { readonly email: string }
  readonly invitation: ProofValues
  /** Sent to the new address. */
  readonly 'change-email': ProofValues & { readonly code: string }
  /** Sent to the previous address; `link` undoes the change. */
  readonly 'undo-email': ProofValues
  readonly login: ProofValues & { readonly code: string }
  /** `client` logged in, and the account has no other session from this client. */
  readonly 'new-client': ClientNotice
  /** A refresh token was used twice, so the session that `client` had opened was ended. */
  readonly 'refresh-reused': ClientNotice
  /** Only the member for the actual change contains text; all other members are empty. */
  readonly 'factor-changed': Occasion & { readonly [Change in FactorChange]: string }
  /** As in `factor-changed`, only the member for the actual change contains text. */
  readonly 'passkey-changed': Occasion & { readonly [Change in PasskeyChange]: string }
}

/** Renders the templates of each kind of email. */
export type MailTemplates = {
  /** Does not throw, because the templates are checked when they are loaded. */
  render<Kind extends MailKind>(kind: Kind, values: MailValues[Kind]): MailText
}
