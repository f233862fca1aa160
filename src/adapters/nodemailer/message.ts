import { isPlainText } from '../../domain/parsed.js'
import type { Delivery, Mail } from '../../ports/mail.js'
import { isDeliverable } from './recipient.js'

/** The sender name and address of all emails. */
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
