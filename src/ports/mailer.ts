import type { Email } from '../domain/identity/email.js'
import type { MailKind } from '../domain/mail.js'

/** A mail without its envelope. */
export type MailText = { readonly subject: string; readonly text: string; readonly html: string }

/** A mail with the one to whom it goes. */
export type Mail = MailText & { readonly to: Email }

/** `detail` is for the log and holds no part of the mail. */
export type Delivery =
  /** A mail server has taken it over. */
  | { readonly kind: 'sent' }
  /** It will never be taken: no such mailbox, say. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** Not now, for reasons of this mail: its mailbox is full, say. */
  | { readonly kind: 'deferred'; readonly detail: string }
  /** No mail can leave at the moment. It may have left all the same where the connection broke late. */
  | { readonly kind: 'unreachable'; readonly detail: string }

/** Hands mails over. Throws nothing that a server or a network causes. */
export type Mailer = {
  /**
   * To this address alone, and once: what could mean another one is `refused`, and no text becomes a header. Resolves
   * within two minutes: a mail that takes longer may be sent a second time.
   */
  send(mail: Mail): Promise<Delivery>
  /** Lets go of connections. Twice is harmless. */
  close(): Promise<void>
}

/** What templates may insert; a value is text, and is escaped for where it stands. */
export type MailValues = {
  readonly 'reset-password': {
    readonly email: string
    /** Holds the token: a reader of the link can set the password. */
    readonly link: string
    /** How long the link is good. */
    readonly minutes: string
  }
  readonly 'password-changed': { readonly email: string }
}

/** Makes the text of a mail from the templates of its kind. */
export type MailTemplates = {
  /** Does not fail: what is missing is found when the templates are made. */
  render<Kind extends MailKind>(kind: Kind, values: MailValues[Kind]): MailText
}
