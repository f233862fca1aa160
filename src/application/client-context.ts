/**
 * The source of a request, as far as the host knows and trusts this information; used for the audit log, rate limits and the list of a
 * user's own sessions. Has no effect on permissions.
 */
export type ClientContext = {
  readonly address?: string | undefined
  readonly requestId?: string | undefined
  /** The `User-Agent` header as received (RFC 9110, 10.1.5). Only a short name derived from the header is stored. */
  readonly userAgent?: string | undefined
}

/**
 * A client as described by a host of this package. Input checks do not read the members, which are always well formed and are computed only
 * when read. A subclass may have only getters and private fields, because another copy of this package refuses unknown properties.
 */
export abstract class HostClient implements ClientContext {
  abstract readonly address: string | undefined
  abstract readonly requestId: string
  abstract readonly userAgent: string | undefined
}
