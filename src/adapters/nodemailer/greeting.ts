import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'
import type { Sender } from './message.js'

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
