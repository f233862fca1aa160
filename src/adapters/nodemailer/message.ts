import type { Mail } from '../../ports/mailer.js'
import { parseSender, type Sender } from './sender.js'

/** The sender of MAIL_FROM. */
export function senderOf(from: string): Sender {
  const sender = parseSender(from)
  if (!sender) throw new Error('MAIL_FROM is not an address, alone or as Name <address>.')
  return sender
}

/**
 * The mail as nodemailer takes it. The addresses are objects, and the envelope is given, so that
 * no text is parsed as a list of addresses; its own Message-ID has the domain of the sender.
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
    // RFC 3834: no out-of-office notice comes back.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
