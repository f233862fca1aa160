import type { Email } from './identity/email.js'
import type { Instant } from './instant.js'

/** What can be mailed; each has templates of this name. */
export const MAIL_KINDS = [
  'reset-password',
  'password-changed',
  'new-client',
  'refresh-reused',
  'factor-changed',
] as const
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
  /** A reset has the typed email in the form of `formerEmail`: its account is found when the mail is made. */
  readonly email: Email
  readonly askedAt: Instant
  /** Who asked, for the audit log and for what a notice tells. */
  readonly address?: string
  readonly requestId?: string
  /** What a notice tells beside that: the short name of a client, or a `FactorChange`. */
  readonly about?: string
  /** How often it was tried in vain. */
  readonly attempts: number
}

/** The mail that tells an account of a topic. */
export const NOTICE_KINDS = {
  'new-client': 'new-client',
  'refresh-reuse': 'refresh-reused',
  /** That an operator has set it. */
  password: 'password-changed',
  /** That the account itself has changed it, of which it is told wherever mails can leave. */
  'own-password': 'password-changed',
  factor: 'factor-changed',
} as const satisfies Readonly<Record<string, MailKind>>

/** What an account can be told of by mail. */
export type NoticeTopic = keyof typeof NOTICE_KINDS

/** Those that are a matter of choice. */
export const CHOSEN_TOPICS = ['new-client', 'refresh-reuse', 'password', 'factor'] as const
/** One of `CHOSEN_TOPICS`. */
export type ChosenTopic = (typeof CHOSEN_TOPICS)[number]

/** What became of a second factor. */
export const FACTOR_CHANGES = ['added', 'removed', 'recovery', 'renewed'] as const
/** One of `FACTOR_CHANGES`: `recovery` if a recovery code was used, `renewed` if new recovery codes were made. */
export type FactorChange = (typeof FACTOR_CHANGES)[number]
