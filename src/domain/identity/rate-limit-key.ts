/** Groups of an IPv6 address that belong to the network; a client chooses the others itself. */
const NETWORK_GROUPS = 4
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
/** `[2001:db8::1]:4711`, `[2001:db8::1]` or `192.0.2.7:4711`. Without brackets a port of IPv6 would be ambiguous. */
const WITH_PORT = /^(?:\[(?<ipv6>[^\]]*)\](?::\d{1,5})?|(?<ipv4>\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/
/** IPv6 networks whose last two groups are an IPv4 address: mapped (RFC 4291) and NAT64 (RFC 6052). */
const EMBEDDING = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']

/** The longest IPv6 address in any notation. */
const IPV6_MAX = 45
const LEADING_ZERO = /(?:^|\.)0\d/
const GROUP = /^[\da-f]{1,4}$/i

/** An address that was parsed once. */
export type ParsedAddress = {
  /** As it was written; an embedded IPv4 address as IPv4. */
  readonly text: string
  /** The eight groups of an IPv6 address without leading zeros; `undefined` for IPv4. */
  readonly groups?: readonly string[]
}

/**
 * The name under which attempts from a network address are counted: an IPv4 address as it is, an IPv6 address as its /64.
 * An IPv6 address that embeds an IPv4 address (mapped or NAT64) counts as the IPv4 address. `undefined` if the text is no
 * address.
 */
export function rateLimitKey(address: string | undefined): string | undefined {
  const parsed = parseAddress(withoutPort(address ?? ''))
  return parsed?.groups ? `${parsed.groups.slice(0, NETWORK_GROUPS).join(':')}::/64` : parsed?.text
}

/** Whether it is an IPv4 or IPv6 address as `plainAddress` writes it. */
export function isAddress(text: string): boolean {
  return parseAddress(withoutPort(text)) !== undefined
}

/** Without port and zone, in lower case, and an embedded IPv4 address as IPv4. */
export function plainAddress(address: string): string {
  const plain = withoutPort(address)
  return parseAddress(plain)?.text ?? plain
}

/** Without a port, which some proxies append, and without the zone, which may be any text; in lower case. */
export function withoutPort(address: string): string {
  const { ipv6, ipv4 } = WITH_PORT.exec(address)?.groups ?? {}
  return (ipv6 ?? ipv4 ?? address).split('%', 1)[0]?.toLowerCase() ?? ''
}

/** Parses an address without port or zone; `undefined` for any other text. */
export function parseAddress(text: string): ParsedAddress | undefined {
  if (IPV4.test(text)) return { text }
  const groups = groupsOf(text)
  if (!groups) return undefined
  return EMBEDDING.includes(groups.slice(0, 6).join(':'))
    ? { text: bytesOf(groups.slice(6)).join('.') }
    : { text, groups }
}

/** The bits of an address, 32 or 128 characters of 0 and 1. */
export function addressBits({ text, groups }: ParsedAddress): string {
  const bytes = groups ? bytesOf(groups) : text.split('.').map(Number)
  return bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
}

function bytesOf(groups: readonly string[]): readonly number[] {
  return groups.flatMap((group) => {
    const pair = Number.parseInt(group, 16)
    return [pair >> 8, pair & 255]
  })
}

/** The eight groups of an IPv6 address in any notation (RFC 4291, 2.2); `undefined` for any other text. */
function groupsOf(address: string): readonly string[] | undefined {
  if (address.length > IPV6_MAX || !address.includes(':')) return undefined
  const halves = address.split('::')
  const [head = [], tail] = halves.map((half, at) => writtenGroups(half, at === halves.length - 1))
  const groups = [...head, ...(tail ?? [])]
  if (halves.length > 2 || !groups.every((group) => GROUP.test(group))) return undefined
  const missing = 8 - groups.length
  // A double colon stands for one group of zeros at least.
  if (tail ? missing < 1 : missing !== 0) return undefined
  const zeros = Array.from({ length: missing }, () => '0')
  return [...head, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16).toString(16))
}

/** The groups of a text with single colons; at the end of an address the last two may be written as IPv4. */
function writtenGroups(text: string, isEnd: boolean): readonly string[] {
  const groups = text === '' ? [] : text.split(':')
  const last = groups.at(-1) ?? ''
  if (!isEnd || !IPV4.test(last) || LEADING_ZERO.test(last)) return groups
  const [a = 0, b = 0, c = 0, d = 0] = last.split('.').map(Number)
  return [...groups.slice(0, -1), ...[(a << 8) | b, (c << 8) | d].map((pair) => pair.toString(16))]
}
