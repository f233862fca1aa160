import type { Email } from '../../../src/domain/identity/email.js'
import type { Mail } from '../../../src/ports/mail.js'

export const FROM = 'Kennel <no-reply@kennel.example>'

export function mailTo(address: string): Mail {
  return {
    // The address is not validated, because an old account may have an email that the service no longer accepts.
    to: address as Email,
    subject: 'Reset your password',
    text: 'Open https://kennel.example/reset-password#email=a&resetToken=b today\n',
    html: '<p>Open <a href="https://kennel.example/reset-password#email=a&amp;resetToken=b">it</a> today</p>\n',
  }
}
