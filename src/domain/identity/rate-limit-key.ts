/** Groups of an IPv6 address that belong to the network; a client chooses the others itself. */
const NETWORK_GROUPS = 4
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
/** `[2001:db8::1]:4711`, `[2001:db8::1]` or `192.0.2.7:4711`. Without brackets a port of IPv6 would be ambiguous. */
const WITH_PORT = /^(?:\[(?<ipv6>[^\]]*)\](?::\d{1,5})?|(?<ipv4>\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/
/** IPv6 networks whose last two groups are an IPv4 address: mapped (RFC 4291) and NAT64 (RFC 6052). */
const EMBEDDING = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']

/**
 * The name under which attempts from a network address are counted: an IPv4 address as it is, an IPv6 address as its /64.
 * An IPv6 address that embeds an IPv4 address (mapped or NAT64) counts as the IPv4 address. `undefined` if the text is no
 * address.
 */
export function rateLimitKey(address: string | undefined): string | undefined {
  const text = plainAddress(address ?? '')
  return IPV4.test(text) ? text : networkOf(text)
}

/** Whether it is an IPv4 or IPv6 address as `plainAddress` writes it. */
export function isAddress(text: string): boolean {
  return rateLimitKey(text) !== undefined
}

/**
 * Without a port, which some proxies append, without the zone, which may be any text, in lower case, and an embedded IPv4
 * address as IPv4.
 */
export function plainAddress(address: string): string {
  const { ipv6, ipv4 } = WITH_PORT.exec(address)?.groups ?? {}
  const plain = (ipv6 ?? ipv4 ?? address).split('%', 1)[0]?.toLowerCase() ?? ''
  return embeddedIpv4(plain) ?? plain
}

/** The bits of an address without port or zone, 32 or 128 characters of 0 and 1; `undefined` for any other text. */
export function addressBits(address: string): string | undefined {
  const plain = embeddedIpv4(address) ?? address
  const ofBytes = (bytes: readonly string[], radix: number, width: number) =>
    bytes.map((one) => Number.parseInt(one, radix).toString(2).padStart(width, '0')).join('')
  if (IPV4.test(plain)) return ofBytes(plain.split('.'), 10, 8)
  const groups = groupsOf(plain)
  return groups && ofBytes(groups, 16, 16)
}

function networkOf(address: string): string | undefined {
  const groups = groupsOf(address)
  return groups && `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

function embeddedIpv4(address: string): string | undefined {
  const groups = groupsOf(address) ?? []
  if (!EMBEDDING.includes(groups.slice(0, 6).join(':'))) return undefined
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return bytes.flatMap((pair) => [pair >> 8, pair & 255]).join('.')
}

/** The eight groups of an IPv6 address in any notation; `undefined` for any other text. */
function groupsOf(address: string): readonly string[] | undefined {
  if (!address.includes(':') || !URL.canParse(`http://[${address}]`)) return undefined
  const [head, tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [writtenGroups(head), writtenGroups(tail)]
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after]
}

function writtenGroups(text = ''): readonly string[] {
  return text === '' ? [] : text.split(':')
}
