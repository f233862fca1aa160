import type { Milliseconds } from '../../domain/instant.js'
import type { Mailer, Delivery } from '../../ports/mail.js'
import { greetingOf, parseSmtpUrl, type SmtpServer } from './server.js'
import { messageOf, senderOf, UNSAFE, isDeliverable } from './message.js'

/** In milliseconds. */
type SmtpTimeouts = {
  /** Maximum duration of the connection attempt, the TLS handshake and the greeting. */
  readonly connection: Milliseconds
  readonly silence: Milliseconds
  readonly whole: Milliseconds
}

const DEFAULT_TIMEOUTS: SmtpTimeouts = { connection: 10_000, silence: 30_000, whole: 60_000 }

/** Milliseconds that a server may take to close the connection. */
const CLOSING = 1000

const STOPPED = 'The service is stopping.'

/**
 * Creates a mailer that sends email through the SMTP server of `url`: `smtp://user:password@host:port` with STARTTLS, or `smtps` with TLS
 * from the first byte. The mailer verifies the server's certificate against `ca` (PEM) or against Node's trusted certificates. STARTTLS is
 * optional and any certificate is accepted only if the server has a loopback address and `ca` is not set. The greeting (`EHLO`) contains
 * the host of `publicUrl`, or by default the domain of `from`.
 *
 * @throws Error if `url`, `from` or `publicUrl` is invalid; the message contains none of these values.
 */
export function createSmtpMailer({
  url,
  from,
  publicUrl,
  ca,
  timeout,
}: {
  readonly url: string
  readonly from: string
  readonly publicUrl?: string
  readonly ca?: string
  readonly timeout?: Partial<SmtpTimeouts>
}): Mailer {
  const sender = senderOf(from)
  const name = greetingOf(publicUrl, sender)
  const read = parseSmtpUrl(url)
  if ('rule' in read) throw new Error(`MAIL_URL ${read.rule}.`)
  const server = { ...read.server, name }
  const waits = { ...DEFAULT_TIMEOUTS, ...timeout }
  const underWay = new Map<AbortController, Promise<unknown>>()
  let opened: ReturnType<typeof open> | undefined
  let closed = false

  const hand = async (message: ReturnType<typeof messageOf>, signal: AbortSignal): Promise<void> => {
    const transport = await (opened ??= open(server, waits, ca))
    await transport.sendMail({ ...message, signal })
  }

  return {
    async send(mail) {
      if (closed) return { kind: 'unreachable', detail: STOPPED }
      if (!isDeliverable(mail.to)) return UNSAFE
      const control = new AbortController()
      const late = setTimeout(() => control.abort('The SMTP server took too long to respond.'), waits.whole)
      const handing = hand(messageOf(mail, sender), control.signal)
      underWay.set(control, handing)
      try {
        await handing
        return { kind: 'sent' }
      } catch (error) {
        if (control.signal.aborted) return { kind: 'unreachable', detail: String(control.signal.reason) }
        return deliveryOf(error)
      } finally {
        clearTimeout(late)
        underWay.delete(control)
      }
    },
    async close() {
      closed = true
      const last = [...underWay.values()]
      for (const control of underWay.keys()) control.abort(STOPPED)
      await Promise.allSettled(last)
    },
  }
}

async function open(
  server: SmtpServer & { readonly name: string },
  timeout: SmtpTimeouts,
  ca: string | undefined,
) {
  // Loading the package takes about 35 ms, so only a process that sends email loads it.
  const { createTransport } = await import('nodemailer')
  const trusted = server.loopback && ca === undefined
  const { loopback, ...address } = server
  return createTransport({
    ...address,
    // If a user is configured, never send email without logging in.
    forceAuth: server.auth !== undefined,
    requireTLS: !server.secure && !trusted,
    tls: { rejectUnauthorized: !trusted, ...(ca === undefined ? {} : { ca }) },
    // This timeout also limits name lookup, greeting and STARTTLS.
    connectionTimeout: timeout.connection,
    socketTimeout: timeout.silence,
    socketCloseTimeout: CLOSING,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** The fields `message` and `response` quote the server's reply, often including the address. */
type SmtpError = Error & {
  readonly code: string
  readonly command?: unknown
  readonly responseCode?: unknown
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

function deliveryOf(error: unknown): Delivery {
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
