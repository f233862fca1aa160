import { isIP } from 'node:net'
import type { ClientContext } from '../../../application/client-context.js'
import { plainAddress } from '../../../domain/identity/rate-limit-key.js'
import type { Context } from '../context.js'

/**
 * Where a request came from. Nothing is looked up before it is asked for: hardly any request
 * needs it.
 */
export function originOf(ctx: Context): ClientContext {
  return new RequestOrigin(ctx)
}

class RequestOrigin implements ClientContext {
  readonly #ctx: Context

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  get address(): string | undefined {
    return clientAddress(this.#ctx)
  }

  get requestId(): string | undefined {
    return this.#ctx.state.requestId
  }
}

/**
 * Behind proxies, as many as `TRUST_PROXY` says, it is what the outermost of them saw; what a client
 * writes itself is never believed.
 */
function clientAddress({ ip, req }: Context): string | undefined {
  // An entry of the proxies' header that is no address is worth nothing; the socket's is.
  return [ip, req.socket.remoteAddress ?? ''].map(plainAddress).find((one) => isIP(one) !== 0)
}
