/**
 * Where a request came from, as far as its host knows and believes it: for the audit log, for counting attempts, and for the
 * list of one's own sessions. It decides nothing.
 */
export type ClientContext = {
  /** The client's network address. */
  readonly address?: string | undefined
  /** Names the request in the host's logs. */
  readonly requestId?: string | undefined
  /** What the client calls itself, as it came (RFC 9110, 10.1.5). Only a short name that is made of it is kept. */
  readonly userAgent?: string | undefined
}
