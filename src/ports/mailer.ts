import type { Email } from '../domain/identity/email.js'
import type { FactorChange, MailKind } from '../domain/mail.js'

/** A mail without its envelope. */
export type MailText = { readonly subject: string; readonly text: string; readonly html: string }

/** A mail with its recipient. */
export type Mail = MailText & { readonly to: Email }

/** `detail` is for the log and holds no part of the mail. */
export type Delivery =
  /** A mail server has accepted it. */
  | { readonly kind: 'sent' }
  /** Refused for good, for example because there is no such mailbox. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** Not now, for reasons of this mail, for example because its mailbox is full. */
  | { readonly kind: 'deferred'; readonly detail: string }
  /** No mail can leave now. This mail may have left if the connection broke late. */
  | { readonly kind: 'unreachable'; readonly detail: string }

/** Delivers mails. No server and no network makes it throw. */
export type Mailer = {
  /**
   * To this address alone, and once: an address that could mean another address is `refused`, and no text becomes a
   * header. Resolves within two minutes; a mail that takes longer may be sent a second time.
   */
  send(mail: Mail): Promise<Delivery>
  /** Closes connections. A second call is harmless. */
  close(): Promise<void>
}

/** Time and client address of an action; an unknown address is empty. */
type Occasion = { readonly email: string; readonly time: string; readonly address: string }
/** With the short name of a client, such as `Firefox 130 on Linux`; empty if it is unknown. */
type ClientNotice = Occasion & { readonly client: string }

/** Values that templates may insert: text, which is escaped for its position. */
export type MailValues = {
  readonly 'reset-password': {
    readonly email: string
    /** Holds the token: a reader of the link can set the password. */
    readonly link: string
    /** How long the link is valid. */
    readonly minutes: string
  }
  readonly 'password-changed': { readonly email: string }
  /** `client` logged in, and no other session of the account belongs to it. */
  readonly 'new-client': ClientNotice
  /** A spent refresh token of the session that `client` had opened was used again; the session has ended. */
  readonly 'refresh-reused': ClientNotice
  /** One change has a text; the others are empty. */
  readonly 'factor-changed': Occasion & { readonly [Change in FactorChange]: string }
}

/** Makes the text of a mail from the templates of its kind. */
export type MailTemplates = {
  /** Does not fail: missing parts are found when the templates are made. */
  render<Kind extends MailKind>(kind: Kind, values: MailValues[Kind]): MailText
}
