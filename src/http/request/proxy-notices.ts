import { type TrustProxy, plainAddress } from '../../domain/identity/address.js'
import type { Log } from '../../ports/log.js'
import type { HttpRequest } from '../message.js'
import type { TrustedProxies } from './trusted-proxies.js'

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

type NoticeFor = (request: ProxiedRequest) => string | undefined

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

function behindProxies({ believes }: TrustedProxies, isCounted: boolean): NoticeFor {
  return (request) => {
    const isForwarded = request.header('x-forwarded-for') !== undefined
    if (!believes(request.peer)) return isForwarded && request.peer !== undefined ? NOT_LISTED : undefined
    if (!isForwarded) return request.path.startsWith('/health/') ? undefined : MISSING
    const { address } = request
    if (isOnThisMachine(request)) return undefined
    const isProxy = isCounted ? address === plainAddress(request.peer ?? '') : believes(address)
    return isProxy ? OWN_ADDRESS : undefined
  }
}
