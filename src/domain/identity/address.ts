/** How many groups of an IPv6 address identify the network; the client can choose the other groups. */
const NETWORK_GROUPS = 4
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
/** Matches `[2001:db8::1]:4711`, `[2001:db8::1]` or `192.0.2.7:4711`. Without brackets, an IPv6 port would be ambiguous. */
const WITH_PORT = /^(?:\[(?<ipv6>[^\]]*)\](?::\d{1,5})?|(?<ipv4>\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/
/** IPv6 networks whose last two address groups are an IPv4 address: mapped (RFC 4291) and NAT64 (RFC 6052). */
const EMBEDDING = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']

/** The characters of an IPv6 address in any notation, at most as many as in the longest address. */
const IPV6 = /^[\da-f:.]{2,45}$/i

/** An IPv4 or IPv6 address in canonical form. */
export type ParsedAddress = {
  /** The address as written, but with an embedded IPv4 address in IPv4 notation. */
  readonly text: string
  /** The eight groups of an IPv6 address without leading zeros; `undefined` for IPv4. */
  readonly groups?: readonly string[]
}

/**
 * Returns the key under which attempts from an address are counted: an IPv4 address itself, or the /64 network of an IPv6 address. An IPv6
 * address that embeds an IPv4 address (mapped or NAT64) counts as that IPv4 address. Returns `undefined` for any other string.
 */
export function rateLimitKey(address: string | undefined): string | undefined {
  const parsed = parseAddress(withoutPort(address ?? ''))
  return parsed?.groups ? `${parsed.groups.slice(0, NETWORK_GROUPS).join(':')}::/64` : parsed?.text
}

/** Removes the port and the zone, converts to lower case, and writes an embedded IPv4 address as IPv4. */
export function plainAddress(address: string): string {
  const plain = withoutPort(address)
  return parseAddress(plain)?.text ?? plain
}

/** Removes the port, which some proxies append, and the zone, which may be any string; converts to lower case. */
export function withoutPort(address: string): string {
  const { ipv6, ipv4 } = WITH_PORT.exec(address)?.groups ?? {}
  return (ipv6 ?? ipv4 ?? address).split('%', 1)[0]?.toLowerCase() ?? ''
}

/** Parses an address without port or zone; returns `undefined` for any other string. */
export function parseAddress(text: string): ParsedAddress | undefined {
  if (IPV4.test(text)) return { text }
  const groups = groupsOf(text)
  if (!groups) return undefined
  return EMBEDDING.includes(groups.slice(0, 6).join(':'))
    ? { text: bytesOf(groups.slice(6)).join('.') }
    : { text, groups }
}

/** Returns the bits of an address as a string of 32 or 128 characters, each `0` or `1`. */
function addressBits({ text, groups }: ParsedAddress): string {
  const bytes = groups ? bytesOf(groups) : text.split('.').map(Number)
  return bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
}

function bytesOf(groups: readonly string[]): readonly number[] {
  return groups.flatMap((group) => {
    const pair = Number.parseInt(group, 16)
    return [pair >> 8, pair & 255]
  })
}

/** Returns the eight groups of an IPv6 address in any notation (RFC 4291, 2.2), or `undefined` for any other string. */
function groupsOf(address: string): readonly string[] | undefined {
  if (!IPV6.test(address)) return undefined
  try {
    // The URL parser writes every address in the canonical form (RFC 5952), in which only `::` still has to be expanded.
    const { hostname } = new URL(`ws://[${address}]`)
    const [head = [], tail = []] = hostname
      .slice(1, -1)
      .split('::')
      .map((half) => half.match(/[^:]+/g) ?? [])
    const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
    return [...head, ...zeros, ...tail]
  } catch {
    return undefined
  }
}

/** A network of IPv4 or IPv6 addresses: its leading bits, and the address length in bits (32 or 128). */
export type AddressNetwork = { readonly prefix: string; readonly width: number }

/** The trusted proxies in front of the service: either how many there are, or their addresses and networks. */
export type TrustProxy = number | readonly string[]

const NETWORK = /^([\da-f:.]{2,45})(?:\/([1-9]\d{0,2}))?$/i

/**
 * Reads an address, or a network such as `10.0.0.0/8`; bits after the prefix are ignored. Returns `undefined` for any other string,
 * including an address with a port or a zone, and for `/0`, which would match every address.
 */
export function addressNetwork(text: string): AddressNetwork | undefined {
  const [, address = '', prefixLength] = NETWORK.exec(text) ?? []
  const parsed = parseAddress(address)
  if (!parsed) return undefined
  const bits = addressBits(parsed)
  // An IPv4 network may be in IPv6 notation; its prefix length then includes the 96 bits before the IPv4 address.
  const embedding = address.includes(':') && bits.length === 32 ? 96 : 0
  const length = prefixLength === undefined ? bits.length : Number(prefixLength) - embedding
  if (length < 1 || length > bits.length) return undefined
  return { prefix: bits.slice(0, length), width: bits.length }
}

export function isInNetworks(address: ParsedAddress, networks: readonly AddressNetwork[]): boolean {
  const bits = addressBits(address)
  return networks.some(({ prefix, width }) => bits.length === width && bits.startsWith(prefix))
}
