import type { Email } from '../domain/identity/email.js'
import type { FactorChange, MailKind } from '../domain/mail.js'

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

/** When and where from something was done; an address that is not known is empty. */
type Occasion = { readonly email: string; readonly time: string; readonly address: string }
/** With the short name of a client, such as `Firefox 130 on Linux`, which is empty where it is not known. */
type ClientNotice = Occasion & { readonly client: string }

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
  /** `client` logged in, of which no other session of the account is. */
  readonly 'new-client': ClientNotice
  /** A spent refresh token of the session that `client` had opened came again, and the session was ended. */
  readonly 'refresh-reused': ClientNotice
  /** Of the changes one has a text, and the others are empty. */
  readonly 'factor-changed': Occasion & { readonly [Change in FactorChange]: string }
}

/** Makes the text of a mail from the templates of its kind. */
export type MailTemplates = {
  /** Does not fail: what is missing is found when the templates are made. */
  render<Kind extends MailKind>(kind: Kind, values: MailValues[Kind]): MailText
}
