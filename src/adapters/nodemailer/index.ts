export { createOutboxMailer } from './outbox-mailer.js'
export { createSmtpMailer, type SmtpPatience } from './smtp-mailer.js'
