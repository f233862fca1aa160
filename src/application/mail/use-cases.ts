import type { Rows } from '../table.js'
import { createMakeMail } from './make-mail.js'
import { createSendMails } from './send-mails.js'
import { createSiftMails } from './sift-mails.js'

/** What sends mails. */
export const MAIL = {
  makeMail: {
    factory: createMakeMail,
    parts: ['accounts', 'templates', 'resetTokens', 'resetTokenTtl', 'resetUrl', 'audit', 'clock'],
  },
  siftMails: { factory: createSiftMails, parts: ['mailQueue', 'accounts', 'audit', 'clock'] },
  sendMails: {
    factory: createSendMails,
    parts: ['mailQueue', 'makeMail', 'siftMails', 'mailer', 'clock', 'log'],
  },
} as const satisfies Rows
