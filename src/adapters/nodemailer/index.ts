/** Entry point `kennel-id/nodemailer`: mailers for SMTP and for a folder. */
export { createOutboxMailer } from './outbox-mailer.js'
export { createSmtpMailer } from './smtp-mailer.js'
