import type { Log } from '../../ports/log.js'
import type { HttpRequest } from '../message.js'

const DETAIL =
  'a request came with X-Forwarded-For, which is not believed: if a proxy stands in front, set TRUST_PROXY to the number of proxies, else audit records and LOGIN_LIMIT know the address of the proxy alone; if none does, a client wrote it and nothing is wrong'

/**
 * For a service that believes no proxy: the first request that seems to come through one is told of, once. Every client
 * would have the address of the proxy, and nothing else shows it.
 */
export function untrustedProxyNotice(log: Log): (request: Pick<HttpRequest, 'header'>) => void {
  let isSaid = false
  return (request) => {
    if (isSaid || request.header('x-forwarded-for') === undefined) return
    isSaid = true
    log.warn('configuration', { detail: DETAIL })
  }
}
