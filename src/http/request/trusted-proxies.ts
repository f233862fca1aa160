import {
  addressNetwork,
  isInNetworks,
  type TrustProxy,
  parseAddress,
  withoutPort,
  type ParsedAddress,
  plainAddress,
} from '../../domain/identity/address.js'
import type { Log } from '../../ports/log.js'
import type { HttpRequest } from '../message.js'

/** Decides which addresses of a request belong to trusted proxies. */
export type TrustedProxies = {
  /** Whether to trust the proxy headers in a request from this peer. */
  readonly believes: (peer: string | undefined) => boolean
  /** The address of the client. Never trusts an entry that the client may have written itself. */
  readonly clientAddress: (
    hops: Readonly<Record<'peer' | 'forwarded', string | undefined>>,
  ) => string | undefined
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
  return list.split(',').slice(-most).reverse()
}

/** Returns the address of a hop; returns `undefined` if the hop is not an address. */
function hop(entry: string | undefined): ParsedAddress | undefined {
  return entry === undefined ? undefined : parseAddress(withoutPort(entry.trim()))
}

const NOT_BELIEVED =
  'a request came with X-Forwarded-For, which is ignored: if a proxy stands in front, set TRUST_PROXY (option trustProxy) to the number of proxies, otherwise audit records and LOGIN_LIMIT (option loginLimit) see only the address of the proxy; otherwise a client or the framework added the header and nothing is wrong'
const NOT_LISTED =
  'a request came with X-Forwarded-For from an address that TRUST_PROXY (option trustProxy) does not list, so the header is ignored: if the address belongs to a proxy, add it to TRUST_PROXY; otherwise a client reaches the service past the proxies'
const MISSING =
  'a request came without X-Forwarded-For although TRUST_PROXY (option trustProxy) is set: let the proxy set the header, because audit records and LOGIN_LIMIT (option loginLimit) see only the address of the proxy; if the request came past the proxy, let no client reach the service directly'
const OWN_ADDRESS =
  'the address of the proxy itself counts as the client: let the proxy write the address of its client at the end of X-Forwarded-For, and set TRUST_PROXY (option trustProxy) to the number of proxies or to their addresses; if the client is on the machine of the proxy, nothing is wrong'

/** The request data that shows whether `TRUST_PROXY` matches the actual proxies. */
export type ProxiedRequest = Pick<HttpRequest, 'header' | 'address' | 'peer' | 'path'>

/** Warns once about each mismatch between `TRUST_PROXY` and the actual proxies. Ignores health probes, which use no proxy. */
export function proxyNotices(
  trust: TrustProxy,
  proxies: TrustedProxies,
  log: Log,
): (request: ProxiedRequest) => void {
  const noticeFor = trust === 0 ? withoutProxies : behindProxies(proxies, typeof trust === 'number')
  const said = new Set<string>()
  return (request) => {
    const detail = noticeFor(request)
    if (detail === undefined || said.has(detail)) return
    said.add(detail)
    log.warn('configuration', { detail })
  }
}

function withoutProxies(request: ProxiedRequest): string | undefined {
  return request.header('x-forwarded-for') === undefined ? undefined : NOT_BELIEVED
}

/** Whether a proxy on this machine reports a client on this machine, for example an operator who is testing the service. */
function isOnThisMachine(request: ProxiedRequest): boolean {
  const { address = '' } = request
  const isLoopback = address === '::1' || /^127(?:\.\d+){3}$/.test(address)
  // If the header contains no address, the address of the proxy counts as the client's address.
  return isLoopback && request.header('x-forwarded-for')?.includes(address) === true
}

function behindProxies({ believes }: TrustedProxies, isCounted: boolean) {
  return (request: ProxiedRequest): string | undefined => {
    const isForwarded = request.header('x-forwarded-for') !== undefined
    if (!believes(request.peer)) return isForwarded && request.peer !== undefined ? NOT_LISTED : undefined
    if (!isForwarded) return request.path.startsWith('/health/') ? undefined : MISSING
    const { address } = request
    if (isOnThisMachine(request)) return undefined
    const isProxy = isCounted ? address === plainAddress(request.peer ?? '') : believes(address)
    return isProxy ? OWN_ADDRESS : undefined
  }
}
