import type { Milliseconds } from '../../domain/instant.js'
import type { Mailer } from '../../ports/mailer.js'
import { deliveryOf } from './errors.js'
import { messageOf, senderOf } from './message.js'
import { isDeliverable } from './recipient.js'
import { parseSmtpUrl, type SmtpServer } from './server.js'

/** How long a mailer waits, each in milliseconds. */
type SmtpTimeouts = {
  /** For the connection, with TLS and the greeting. */
  readonly connection: Milliseconds
  /** For the next answer. */
  readonly silence: Milliseconds
  /** For all of one mail. */
  readonly whole: Milliseconds
}

const DEFAULT_TIMEOUTS: SmtpTimeouts = { connection: 10_000, silence: 30_000, whole: 60_000 }

/** A server that has its answer sent closes at once; one that hangs is not waited for. */
const CLOSING = 1000

const STOPPED = 'The service is stopping.'

/**
 * Hands mails to the SMTP server of `url`: `smtp://user:password@host:port`, or `smtps` for TLS from
 * the first byte. `smtp` has to upgrade by STARTTLS before anything is said. The certificate is verified. Only
 * on a loopback address without a `ca` the upgrade is merely taken where it is offered, and any certificate is good.
 * `ca` holds the certificates (PEM) to trust instead of those that Node trusts.
 *
 * @throws Error where `url` or `from` is not good; neither is part of its message.
 */
export function createSmtpMailer({
  url,
  from,
  ca,
  timeout,
}: {
  readonly url: string
  readonly from: string
  readonly ca?: string
  readonly timeout?: Partial<SmtpTimeouts>
}): Mailer {
  const sender = senderOf(from)
  const server = parseSmtpUrl(url)
  if (!server) throw new Error('MAIL_URL is not a URL of the kind smtp://user:password@host:port.')
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
      if (!isDeliverable(mail.to)) return { kind: 'refused', detail: 'The address is not safe to send to.' }
      const control = new AbortController()
      const late = setTimeout(() => control.abort('The SMTP server took too long.'), waits.whole)
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

async function open(server: SmtpServer, timeout: SmtpTimeouts, ca: string | undefined) {
  // Costs some 35 ms, which a process that sends no mail does not pay.
  const { createTransport } = await import('nodemailer')
  const trusted = server.loopback && ca === undefined
  const { loopback, ...address } = server
  return createTransport({
    ...address,
    // Where a user is configured, no mail leaves without the login.
    forceAuth: server.auth !== undefined,
    requireTLS: !server.secure && !trusted,
    tls: { rejectUnauthorized: !trusted, ...(ca === undefined ? {} : { ca }) },
    // Bounds the look-up of the name, the greeting and STARTTLS too.
    connectionTimeout: timeout.connection,
    socketTimeout: timeout.silence,
    socketCloseTimeout: CLOSING,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
