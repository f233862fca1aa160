import type { Email } from './identity/email.js'
import type { Instant } from './instant.js'

/** The kinds of mails; each has templates of this name. */
export const MAIL_KINDS = [
  'reset-password',
  'password-changed',
  'new-client',
  'refresh-reused',
  'factor-changed',
] as const
/** One of `MAIL_KINDS`. */
export type MailKind = (typeof MAIL_KINDS)[number]

/** Time-ordered: begins with `timePrefix` of the moment of the request. */
export type MailJobId = string & { readonly brand: 'MailJobId' }

/**
 * A mail to send. It holds no secret: the token of a reset is made with the mail, so no copy of the queue opens an
 * account.
 */
export type MailJob = {
  readonly id: MailJobId
  readonly kind: MailKind
  /** A reset has the typed email in the form of `formerEmail`: its account is found when the mail is made. */
  readonly email: Email
  readonly askedAt: Instant
  /** The client that requested it, for the audit log and for notices. */
  readonly address?: string
  readonly requestId?: string
  /** The subject of a notice: the short name of a client, or a `FactorChange`. */
  readonly about?: string
  readonly attempts: number
}

/** The mail of each topic. */
export const NOTICE_KINDS = {
  'new-client': 'new-client',
  'refresh-reuse': 'refresh-reused',
  /** An operator has set the password. */
  password: 'password-changed',
  /** The account itself has changed the password; always sent if mails can be sent. */
  'own-password': 'password-changed',
  factor: 'factor-changed',
} as const satisfies Readonly<Record<string, MailKind>>

/** A topic of mails to the owner of an account. */
export type NoticeTopic = keyof typeof NOTICE_KINDS

/** The optional topics. */
export const CHOSEN_TOPICS = ['new-client', 'refresh-reuse', 'password', 'factor'] as const
/** One of `CHOSEN_TOPICS`. */
export type ChosenTopic = (typeof CHOSEN_TOPICS)[number]

/** Changes of a second factor. */
export const FACTOR_CHANGES = ['added', 'removed', 'recovery', 'renewed'] as const
/** One of `FACTOR_CHANGES`: `recovery` if a recovery code was used, `renewed` if new recovery codes were made. */
export type FactorChange = (typeof FACTOR_CHANGES)[number]
