import type { Email } from '../domain/identity/email.js'
import type { FactorChange, MailKind, PasskeyChange } from '../domain/mail.js'

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
  /** Sent to the new email. */
  readonly 'change-email': ProofValues & { readonly code: string }
  /** Sent to the previous email; `link` undoes the change. */
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
