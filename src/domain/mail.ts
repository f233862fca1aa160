import type { Email } from './identity/email.js'
import type { Instant } from './instant.js'

/** The kinds of email; each kind has templates of the same name. */
export const MAIL_KINDS = [
  'reset-password',
  'password-changed',
  'new-client',
  'refresh-reused',
  'factor-changed',
  'passkey-changed',
  'sign-up',
  /** Not queued: sent instead of the sign-up email if an account already has the address. */
  'account-exists',
  'approved',
  'invitation',
  'change-email',
  'undo-email',
  'login',
] as const
/** A kind of email, from `MAIL_KINDS`. */
export type MailKind = (typeof MAIL_KINDS)[number]

/** A time-ordered ID that begins with the `timePrefix` of the request's time. */
export type MailJobId = string & { readonly brand: 'MailJobId' }

/** A queued email. Contains no secret: reset tokens are created only when the email is sent. */
export type MailJob = {
  readonly id: MailJobId
  readonly kind: MailKind
  /** For a password reset, the email that the user entered, in the form of `formerEmail`; the account is looked up later. */
  readonly email: Email
  readonly askedAt: Instant
  /** The address of the client that requested the email, for the audit log and for notices. */
  readonly address?: string
  readonly requestId?: string
  /**
   * What a notice reports: the short name of a client, a `FactorChange` or a `PasskeyChange`. For a password reset that an operator
   * requested, `ASKED_BY_OPERATOR`. For an invitation that is sent again, the ID of its proof; any other proof has the ID of its job.
   */
  readonly about?: string
  readonly attempts: number
}

/** Marks a password reset that an operator requested; such a request is audited when the email is queued. */
export const ASKED_BY_OPERATOR = 'operator'

export const NOTICE_KINDS = {
  'new-client': 'new-client',
  'refresh-reuse': 'refresh-reused',
  /** An operator set the password. */
  password: 'password-changed',
  /** The user changed the password. This notice cannot be turned off. */
  'own-password': 'password-changed',
  factor: 'factor-changed',
  passkey: 'passkey-changed',
} as const satisfies Readonly<Record<string, MailKind>>

/** A topic of email notices to account owners. */
export type NoticeTopic = keyof typeof NOTICE_KINDS

/** The topics that can be turned off. */
export const CHOSEN_TOPICS = ['new-client', 'refresh-reuse', 'password', 'factor', 'passkey'] as const
export type ChosenTopic = (typeof CHOSEN_TOPICS)[number]

export const FACTOR_CHANGES = ['added', 'removed', 'recovery', 'renewed'] as const
/** A change to a second factor: `recovery` if a recovery code was used, `renewed` if new recovery codes were created. */
export type FactorChange = (typeof FACTOR_CHANGES)[number]

export const PASSKEY_CHANGES = ['added', 'removed', 'clone'] as const
/** A passkey event: `clone` if the signature counter decreased, because the authenticator may have been copied. */
export type PasskeyChange = (typeof PASSKEY_CHANGES)[number]
