import { isIP } from 'node:net'
import type { Context } from './context.js'

/** Groups of an IPv6 address that belong to the network; the rest a client chooses for itself. */
const NETWORK_GROUPS = 4
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/**
 * Whom attempts are counted for: the client's address, IPv6 by its /64. Behind proxies, as many as
 * `TRUST_PROXY` says, it is what the outermost of them saw; what a client writes itself is never
 * believed.
 */
export function clientAddress({ ip, req }: Context): string | undefined {
  // An entry of the proxies' header that is no address is worth nothing; the socket's is.
  return countedAddress(ip) ?? countedAddress(req.socket.remoteAddress ?? '')
}

/** IPv4 as it is, IPv6 as its network; `undefined` for what is no address. */
export function countedAddress(address: string): string | undefined {
  if (isIP(address) === 6) return networkOf(address)
  return isIP(address) === 4 ? address : undefined
}

function networkOf(address: string): string {
  const plain = address.split('%', 1)[0]?.toLowerCase() ?? ''
  const mapped = MAPPED.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  const groups = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [head = '', tail] = groups
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return `${[...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(':')}::/64`
}
