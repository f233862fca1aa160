import { addressNetwork, isInNetworks, type TrustProxy } from '../../domain/identity/address-network.js'
import { isAddress, plainAddress } from '../../domain/identity/rate-limit-key.js'

/** The path of a request through the network. */
export type Hops = {
  /** The network address of the peer. */
  readonly peer: string | undefined
  /** The header `X-Forwarded-For`. */
  readonly forwarded: string | undefined
}

/** Decides which hops of a request are trusted proxies. */
export type TrustedProxies = {
  /** Whether to trust the proxy headers in a request from this peer. */
  readonly believes: (peer: string | undefined) => boolean
  /** The address of the client. Never trusts an entry that the client has written. */
  readonly clientAddress: (hops: Hops) => string | undefined
}

/** Linear in the header: entries are read from the right until the client is found. */
export function trustedProxies(trust: TrustProxy): TrustedProxies {
  return typeof trust === 'number' ? countedProxies(trust) : listedProxies(trust)
}

/** The client is the entry that the outermost of `count` proxies has added. */
function countedProxies(count: number): TrustedProxies {
  return {
    believes: () => count > 0,
    clientAddress: ({ peer, forwarded }) => {
      const entries = count > 0 ? (forwarded ?? '').split(',') : []
      return addressOf(entries.at(-count) ?? entries[0], peer)
    },
  }
}

/** The client is the rightmost hop that is not a proxy; if all hops are proxies, the first hop. */
function listedProxies(list: readonly string[]): TrustedProxies {
  const networks = list.flatMap((text) => addressNetwork(text) ?? [])
  const isProxy = (hop: string | undefined) => isInNetworks(plainAddress(hop?.trim() ?? ''), networks)
  return {
    believes: isProxy,
    clientAddress: ({ peer, forwarded }) => {
      const entries = isProxy(peer) ? (forwarded ?? '').split(',') : []
      const at = entries.findLastIndex((entry) => !isProxy(entry))
      return addressOf(entries[Math.max(at, 0)], peer)
    },
  }
}

/** The entry if it is an address, otherwise the peer. */
function addressOf(entry: string | undefined, peer: string | undefined): string | undefined {
  return [entry?.trim() ?? '', peer ?? ''].map(plainAddress).find(isAddress)
}
