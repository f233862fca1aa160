export { createOutboxMailer } from './outbox-mailer.js'
export { createSmtpMailer, type SmtpTimeouts } from './smtp-mailer.js'
