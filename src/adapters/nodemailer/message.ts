import { isPlainText } from '../../domain/parsed.js'
import type { Delivery, Mail } from '../../ports/mail.js'
import { domainToASCII, domainToUnicode } from 'node:url'

export type Sender = { readonly name: string; readonly address: string }

/** The outcome for an address that some programs could read as a different mailbox. */
export const UNSAFE: Delivery = { kind: 'refused', detail: 'The address is not safe to send to.' }

const WITH_NAME = /^(?:"([^"]*)"\s*|([^"<>]*))<([^<>\s]+)>$/u

/** Parses `no-reply@example.org` or `Example <no-reply@example.org>`; returns `undefined` for any other text. */
export function parseSender(text: string): Sender | undefined {
  const [, quoted, bare, inBrackets] = WITH_NAME.exec(text.trim()) ?? []
  const address = inBrackets ?? text.trim()
  const name = quoted ?? bare?.trim() ?? ''
  return isDeliverable(address) && isPlainText(name) ? { name, address } : undefined
}

export function senderOf(from: string): Sender {
  const sender = parseSender(from)
  if (!sender) throw new Error('MAIL_FROM is not an address, alone or as Name <address>.')
  return sender
}

/**
 * Builds the email for nodemailer. Address objects and an explicit envelope prevent text from being parsed as a list of addresses.
 * nodemailer builds the Message-ID from the sender's domain.
 */
export function messageOf({ to, subject, text, html }: Mail, sender: Sender) {
  const recipient = { name: '', address: to }
  return {
    from: sender,
    to: recipient,
    envelope: { from: { name: '', address: sender.address }, to: [recipient] },
    subject,
    text,
    html,
    // This header prevents out-of-office replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Matches local parts that refer to the same mailbox with and without quotes; some programs misread local parts with other characters. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~.\u{80}-\u{10ffff}-]+$/iu

/** The start of an encoded word. Some programs decode encoded words in an address, and then use a different address. */
const ENCODED_WORD = '=?'

const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Returns whether the address refers to the same mailbox in every SMTP command, in every header and for lenient parsers. nodemailer would
 * remove `<` and `>`, quote other characters, and send the email anyway.
 */
export function isDeliverable(address: string): boolean {
  const at = address.indexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  return LOCAL_PART.test(local) && !local.includes(ENCODED_WORD) && isHostName(address.slice(at + 1))
}

/** A label that is still Punycode after decoding is invalid. Node 22 rejects the whole domain; Node 24 keeps the invalid label. */
const ENCODED_LABEL = /(?:^|\.)xn--/

/** Accepts an internationalized domain name only if its ASCII form decodes to the same name. */
function isHostName(domain: string): boolean {
  const ascii = domainToASCII(domain)
  const decoded = domainToUnicode(ascii)
  if (!HOST_NAME.test(ascii) || ENCODED_LABEL.test(decoded)) return false
  return ascii === domain || decoded === domain
}
