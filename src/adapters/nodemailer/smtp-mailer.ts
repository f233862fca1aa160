// Sends emails through an SMTP server.
import type { Milliseconds } from '../../domain/instant.js'
import type { Mailer } from '../../ports/mail.js'
import { deliveryOf } from './errors.js'
import { greetingOf } from './greeting.js'
import { messageOf, senderOf, UNSAFE } from './message.js'
import { isDeliverable } from './recipient.js'
import { parseSmtpUrl, type SmtpServer } from './server.js'

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
