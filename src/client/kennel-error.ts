import type { Message } from './described.js'

/**
 * Why a call failed: the `type` of the first message from the service; `network` if no complete reply arrived; `unreadable` if a successful
 * reply has an unexpected body; `cancelled` if the user did not use a passkey; `unsupported` if the browser cannot use passkeys here.
 */
export type KennelErrorCode = Message['type'] | 'network' | 'unreadable' | 'cancelled' | 'unsupported'

type Details = {
  readonly status?: number
  readonly messages?: readonly Message[]
  readonly retryAfter?: number | undefined
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/** The error of every failed call. Recognize the error by `name` and `code`, because each copy of the package has its own class. */
export class KennelError extends Error {
  declare readonly code: KennelErrorCode
  /** The HTTP status; 0 if no reply came from the service. */
  declare readonly status: number
  /** The messages from the service, each with its field; empty if the reply contains no messages. */
  declare readonly messages: readonly Message[]
  /** Seconds to wait before trying again; `undefined` if the reply contains no time. */
  declare readonly retryAfter: number | undefined
  /** The `X-Request-Id` of the refused request, for a report to the operator; `undefined` if the reply has none. */
  declare readonly requestId: string | undefined

  /**
   * Only the client creates these errors.
   *
   * @internal
   */
  constructor(
    code: KennelErrorCode,
    { status = 0, messages = [], retryAfter, requestId, ...options }: Details = {},
  ) {
    const texts = messages.map(({ message }) => message).join('; ')
    super(texts || `${code} (status ${status})`, options)
    Object.assign(this, { name: 'KennelError', code, status, messages, retryAfter, requestId })
  }
}
