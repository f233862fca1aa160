import { addressBits, parseAddress, type ParsedAddress } from './rate-limit-key.js'

/** A network of IPv4 or IPv6 addresses: its leading bits, and the address length in bits (32 or 128). */
export type AddressNetwork = { readonly prefix: string; readonly width: number }

/** The trusted proxies in front of the service: either how many there are, or their addresses and networks. */
export type TrustProxy = number | readonly string[]

const NETWORK = /^([\da-f:.]{2,45})(?:\/([1-9]\d{0,2}))?$/i

/**
 * Reads an address, or a network such as `10.0.0.0/8`; bits after the prefix are ignored. Returns `undefined` for any other string, including
 * an address with a port or a zone, and for `/0`, which would match every address.
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
