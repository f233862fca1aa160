import { isIPv4 } from 'node:net'

/** The server of MAIL_URL. */
export type SmtpServer = {
  readonly host: string
  /** Default: 587, or 465 for `smtps`. */
  readonly port?: number
  /** TLS from the first byte. */
  readonly secure: boolean
  readonly loopback: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
}

/** `undefined` for other texts. The error of Node is dropped: it contains the URL. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  try {
    const url = new URL(text)
    if (!/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined
    const host = decodeURIComponent(url.hostname)
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase()
    const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    return {
      host,
      ...(url.port === '' ? {} : { port: Number(url.port) }),
      secure: url.protocol === 'smtps:',
      loopback: isLoopback(host),
      ...(user === '' ? {} : { auth: { user, pass } }),
    }
  } catch {
    return undefined
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
