import { addressNetwork, isInNetworks, type TrustProxy } from '../../domain/identity/address-network.js'
import { isAddress, plainAddress } from '../../domain/identity/rate-limit-key.js'

/** The path of a request as far as it is known. */
export type Hops = {
  /** The network address at the other end of the connection. */
  readonly peer: string | undefined
  /** The header `X-Forwarded-For`. */
  readonly forwarded: string | undefined
}

/** Which hops of a request are proxies whose word counts. */
export type TrustedProxies = {
  /** Whether headers that a proxy sets are believed from this peer. */
  readonly believes: (peer: string | undefined) => boolean
  /** The address of the client. An entry that a client has written itself is never believed. */
  readonly clientAddress: (hops: Hops) => string | undefined
}

/** Linear in the header: entries are read from the right until the client is found. */
export function trustedProxies(trust: TrustProxy): TrustedProxies {
  return typeof trust === 'number' ? countedProxies(trust) : listedProxies(trust)
}

/** The client is the entry that the outermost of so many proxies has added. */
function countedProxies(count: number): TrustedProxies {
  return {
    believes: () => count > 0,
    clientAddress: ({ peer, forwarded }) => {
      const entries = count > 0 ? (forwarded ?? '').split(',') : []
      return addressOf(entries.at(-count) ?? entries[0], peer)
    },
  }
}

/** The client is the rightmost hop that is no proxy; if all are proxies, the first of them. */
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

/** An entry that is no address is worth nothing; the address of the peer is. */
function addressOf(entry: string | undefined, peer: string | undefined): string | undefined {
  return [entry?.trim() ?? '', peer ?? ''].map(plainAddress).find(isAddress)
}
