import { isAddress, plainAddress } from '../../domain/identity/rate-limit-key.js'

/** Where a request came from as the socket has it, and as the proxies in front have written it down. */
export type Hops = {
  readonly socket: string | undefined
  /** The header `X-Forwarded-For`. */
  readonly forwarded: string | undefined
}

/**
 * The client's address. Behind proxies, as many as `TRUST_PROXY` says, it is what the outermost of them saw; what a
 * client writes itself is never believed. Linear in the header: only the chosen entry is read.
 */
export function clientAddress({ socket, forwarded }: Hops, trustProxy: number): string | undefined {
  const hops = trustProxy > 0 ? (forwarded ?? '').split(',') : []
  const hop = hops.at(-trustProxy) ?? hops[0] ?? ''
  // An entry of the proxies' header that is no address is worth nothing; the socket's is.
  return [hop.trim(), socket ?? ''].map(plainAddress).find(isAddress)
}
