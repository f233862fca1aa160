import { isAddress, plainAddress } from '../../domain/identity/rate-limit-key.js'

/** Where a request came from as the socket has it, and as the proxies in front have written it down. */
export type Hops = {
  readonly socket: string | undefined
  /** The header `X-Forwarded-For`. */
  readonly forwarded: string | undefined
}

/**
 * The client's address. Behind proxies, as many as `TRUST_PROXY` says, it is what the outermost of them saw; what a
 * client writes itself is never believed.
 */
export function clientAddress({ socket, forwarded }: Hops, trustProxy: number): string | undefined {
  const hops = trustProxy > 0 ? (forwarded ?? '').split(/\s*,\s*/).slice(-trustProxy) : []
  // An entry of the proxies' header that is no address is worth nothing; the socket's is.
  return [hops[0] ?? '', socket ?? ''].map(plainAddress).find(isAddress)
}
