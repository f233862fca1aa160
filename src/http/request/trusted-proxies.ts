import {
  addressNetwork,
  isInNetworks,
  type TrustProxy,
  parseAddress,
  withoutPort,
  type ParsedAddress,
} from '../../domain/identity/address.js'

/** The network addresses that a request came through. */
export type Hops = {
  /** The network address of the peer. */
  readonly peer: string | undefined
  /** The header `X-Forwarded-For`. */
  readonly forwarded: string | undefined
}

/** Decides which addresses of a request belong to trusted proxies. */
export type TrustedProxies = {
  /** Whether to trust the proxy headers in a request from this peer. */
  readonly believes: (peer: string | undefined) => boolean
  /** The address of the client. Never trusts an entry that the client may have written itself. */
  readonly clientAddress: (hops: Hops) => string | undefined
}

/** The maximum number of proxies in front of the service; the header's further entries are ignored. */
const HOPS_MAX = 10

/** Entries are read from the right until the client is found: each entry once, and at most ten entries in total. */
export function trustedProxies(trust: TrustProxy): TrustedProxies {
  return typeof trust === 'number' ? countedProxies(trust) : listedProxies(trust)
}

/** The client is the entry that the outermost of `count` proxies has added. */
function countedProxies(count: number): TrustedProxies {
  return {
    believes: () => count > 0,
    clientAddress: ({ peer, forwarded }) => {
      const entry = count > 0 ? lastEntries(forwarded ?? '', count).at(-1) : undefined
      return (hop(entry) ?? hop(peer))?.text
    },
  }
}

/** The client is the rightmost hop that is not a proxy; if all hops are proxies, the client is the last hop that was examined. */
function listedProxies(list: readonly string[]): TrustedProxies {
  const networks = list.flatMap((text) => addressNetwork(text) ?? [])
  const isProxy = (address: ParsedAddress | undefined) =>
    address !== undefined && isInNetworks(address, networks)
  return {
    believes: (peer) => isProxy(hop(peer)),
    clientAddress: ({ peer, forwarded }) => {
      const last = hop(peer)
      let client = last
      if (!isProxy(last)) return last?.text
      for (const entry of lastEntries(forwarded ?? '', HOPS_MAX)) {
        client = hop(entry)
        if (!isProxy(client)) break
      }
      return (client ?? last)?.text
    },
  }
}

/** Returns the last entries of a comma-separated list, the rightmost first. */
function lastEntries(list: string, most: number): readonly string[] {
  const entries: string[] = []
  for (let end = list.length; end >= 0 && entries.length < most;) {
    const comma = end === 0 ? -1 : list.lastIndexOf(',', end - 1)
    entries.push(list.slice(comma + 1, end))
    end = comma
  }
  return entries
}

/** Returns the address of a hop; returns `undefined` if the hop is not an address. */
function hop(entry: string | undefined): ParsedAddress | undefined {
  return entry === undefined ? undefined : parseAddress(withoutPort(entry.trim()))
}
