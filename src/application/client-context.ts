/**
 * Where a request came from, as far as its host knows and believes it: for the audit log, and for
 * counting attempts. It decides nothing.
 */
export type ClientContext = {
  /** The client's network address. */
  readonly address?: string | undefined
  /** Names the request in the host's logs. */
  readonly requestId?: string | undefined
}
