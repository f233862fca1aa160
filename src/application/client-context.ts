/**
 * The source of a request, as far as its host knows and trusts it: for the audit log, for rate limits, and for the list
 * of a user's own sessions. It decides nothing.
 */
export type ClientContext = {
  readonly address?: string | undefined
  readonly requestId?: string | undefined
  /** The header as it came (RFC 9110, 10.1.5). Only a short name that is made from it is kept. */
  readonly userAgent?: string | undefined
}

/**
 * A client that our own host describes. Its members are well formed and computed on demand, so that no check of an input
 * reads them.
 */
export abstract class HostClient implements ClientContext {
  abstract readonly address: string | undefined
  abstract readonly requestId: string
  abstract readonly userAgent: string | undefined
}
