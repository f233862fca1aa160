export { createOutboxMailer } from './outbox-mailer.js'
export { createSmtpMailer } from './smtp-mailer.js'
