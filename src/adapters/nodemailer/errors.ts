// Converts errors of the SMTP server to outcomes that do not contain an address.
import type { Delivery } from '../../ports/mail.js'

/** The fields `message` and `response` quote the server's reply, often including the address. */
type SmtpError = Error & {
  readonly code: string
  readonly command?: unknown
  readonly responseCode?: unknown
  /** Node's error code. */
  readonly originalCode?: unknown
}

const CONNECTION_CLOSED = 'The SMTP server closed the connection'

/** Error codes for a failed connection, which affects every email. */
const CONNECTION_FAILURES = new Map([
  ['EDNS', 'The name of the SMTP server cannot be resolved'],
  ['ESOCKET', 'The connection to the SMTP server failed'],
  ['ECONNECTION', CONNECTION_CLOSED],
  ['ETIMEDOUT', 'The SMTP server did not answer in time'],
  ['ETLS', 'The SMTP server does not support STARTTLS'],
  ['EAUTH', 'The SMTP server rejected the user name or the password in MAIL_URL'],
  ['EPROTOCOL', 'The SMTP server refused the connection'],
])

/** SMTP status codes that indicate a problem with the connection or the login, not with the individual email. */
const SERVICE_REFUSED = new Set([421, 503, 530, 534, 535, 538])

/** nodemailer does not distinguish an error reply to these commands from a closed connection. */
const GREETINGS = new Set<unknown>(['EHLO', 'HELO'])

/** Node's error codes for a connection that the server has closed. */
const RESETS = new Set<unknown>(['ECONNRESET', 'EPIPE'])

/** Maps an SMTP error to a delivery outcome. Rethrows other errors. */
export function deliveryOf(error: unknown): Delivery {
  if (!isSmtpError(error)) throw error
  if (RESETS.has(error.originalCode)) return { kind: 'unreachable', detail: `${CONNECTION_CLOSED}.` }
  if (error.responseCode !== undefined && GREETINGS.has(error.command)) {
    const what = 'rejected the EHLO greeting, which contains the host in PUBLIC_URL'
    return { kind: 'unreachable', detail: `The SMTP server ${what}${reasonOf(error)}.` }
  }
  const known = CONNECTION_FAILURES.get(error.code)
  if (known !== undefined) return { kind: 'unreachable', detail: `${known}${reasonOf(error)}.` }
  if (error.code !== 'EENVELOPE' && error.code !== 'EMESSAGE') throw error
  return outcomeOf(error)
}

/** Returns the delivery outcome for the server's reply to an envelope or a message. */
function outcomeOf(error: SmtpError): Delivery {
  const status = Number(error.responseCode)
  const reason = reasonOf(error)
  if (SERVICE_REFUSED.has(status)) {
    return { kind: 'unreachable', detail: `The SMTP server accepts no mail from this service${reason}.` }
  }
  if (error.command === 'MAIL FROM') {
    return {
      kind: 'unreachable',
      detail: `The SMTP server rejected the sender address in MAIL_FROM${reason}.`,
    }
  }
  const what = error.command === 'RCPT TO' ? 'recipient' : 'message'
  return status >= 400 && status < 500
    ? { kind: 'deferred', detail: `The SMTP server deferred this ${what}${reason}.` }
    : { kind: 'refused', detail: `The SMTP server rejected this ${what}${reason}.` }
}

function reasonOf({ responseCode, originalCode }: SmtpError): string {
  const reason = responseCode ?? originalCode
  return /^[A-Z0-9_]+$/.test(String(reason)) ? ` (${String(reason)})` : ''
}

function isSmtpError(error: unknown): error is SmtpError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
