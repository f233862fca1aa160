import { email, type Email } from '../../../src/domain/identity/email.js'
import type { Mail } from '../../../src/ports/mailer.js'

export const FROM = 'Kennel <no-reply@kennel.example>'

function emailOf(text: string): Email {
  const parsed = email(text)
  if (!parsed.ok) throw new Error(`not an email: ${text}`)
  return parsed.value
}

export function mailTo(address: string): Mail {
  return {
    to: emailOf(address),
    subject: 'Reset your password',
    text: 'Open https://kennel.example/reset-password#email=a&resetToken=b today\n',
    html: '<p>Open <a href="https://kennel.example/reset-password#email=a&amp;resetToken=b">it</a> today</p>\n',
  }
}
