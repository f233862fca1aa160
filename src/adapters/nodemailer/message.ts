import type { Mail } from '../../ports/mailer.js'
import { parseSender, type Sender } from './sender.js'

export function senderOf(from: string): Sender {
  const sender = parseSender(from)
  if (!sender) throw new Error('MAIL_FROM is not an address, alone or as Name <address>.')
  return sender
}

/**
 * The mail for nodemailer. Address objects and an explicit envelope prevent text from being parsed as a list
 * of addresses. The Message-ID has the domain of the sender.
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
    // Prevents out-of-office replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
