import type { Email } from './identity/email.js'
import type { Instant } from './instant.js'

/** What can be mailed; each has templates of this name. */
export const MAIL_KINDS = ['reset-password', 'password-changed'] as const
/** One of `MAIL_KINDS`. */
export type MailKind = (typeof MAIL_KINDS)[number]

/** Time-ordered: begins with `timePrefix` of the moment at which it was asked for. */
export type MailJobId = string & { readonly brand: 'MailJobId' }

/**
 * A mail that has to leave. It holds no secret: the token of a reset is made when the mail is, so
 * that no copy of the queue opens an account.
 */
export type MailJob = {
  readonly id: MailJobId
  readonly kind: MailKind
  /** As it was typed, for a reset: whether it is an account's is found out when the mail is made. */
  readonly email: Email
  readonly askedAt: Instant
  /** Who asked, for the audit log. */
  readonly address?: string
  readonly requestId?: string
  /** How often it was tried in vain. */
  readonly attempts: number
}
