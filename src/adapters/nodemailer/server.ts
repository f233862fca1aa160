import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'
import type { Sender } from './message.js'

export type SmtpServer = {
  readonly host: string
  /** The port: 587 by default, or 465 for `smtps`. */
  readonly port?: number
  /** Whether the connection uses TLS from the first byte. */
  readonly secure: boolean
  readonly loopback: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
}

type SmtpUrl = { readonly server: SmtpServer } | { readonly rule: string }

const NO_SERVER = {
  rule: 'must name a server, such as smtp://user:password@mail.example:587, with @ : / ? # percent-encoded in the user name and the password',
}

/** Returns the server, or the rule that the text violates. Discards Node's error, because it contains the URL. */
export function parseSmtpUrl(text: string): SmtpUrl {
  try {
    const url = new URL(text)
    if (!/^smtps?:\/\//i.test(text) || url.hostname === '') return NO_SERVER
    const rule = tailError(url)
    return rule === undefined ? { server: serverOf(url) } : { rule }
  } catch {
    return NO_SERVER
  }
}

/** Returns the violated rule, if any. The rule never quotes text that may be part of the password. */
export function smtpUrlError(text: string): string | undefined {
  const read = parseSmtpUrl(text)
  return 'rule' in read ? read.rule : undefined
}

function serverOf(url: URL): SmtpServer {
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
}

/** Text with `@` may belong to a password in which a `/`, `?` or `#` is not encoded. */
const PARAMETER = /^\?([a-z]{1,30})=[^@]*$/i

/** Rejects any text after the port, because it would have no effect. */
function tailError({ pathname, search, hash }: URL): string | undefined {
  if (/^\/?$/.test(pathname) && search === '' && hash === '') return undefined
  if ((pathname + search + hash).includes('@')) return NO_SERVER.rule
  const [, name] = PARAMETER.exec(search) ?? []
  return name === undefined
    ? 'must end after the port: a path, a query or a fragment has no effect'
    : `must not have the parameter ${name}: parameters have no effect`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/**
 * Returns the host name for `EHLO`: the host of `publicUrl`, or otherwise the sender's domain. nodemailer would use the machine's host
 * name, which, in a container, is not a domain. An IP address becomes an address literal (RFC 5321, 4.1.3).
 *
 * @throws TypeError if `publicUrl` is not a URL.
 */
export function greetingOf(publicUrl: string | undefined, { address }: Sender): string {
  if (publicUrl === undefined) return domainToASCII(address.slice(address.indexOf('@') + 1))
  const host = new URL(publicUrl).hostname.replace(/\.$/, '')
  if (host.startsWith('[')) return `[IPv6:${host.slice(1)}`
  return isIPv4(host) ? `[${host}]` : host
}
