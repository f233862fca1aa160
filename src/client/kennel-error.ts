import type { Message } from './described.js'

/**
 * Why a call failed: the `type` of the service's first message; `network` without a complete reply of the service;
 * `unreadable` for a success with an unexpected body.
 */
export type KennelErrorCode = Message['type'] | 'network' | 'unreadable'

type Details = {
  readonly status?: number
  readonly messages?: readonly Message[]
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** Every failure of a call. Recognize it by `name` and `code`: each copy of this package has its own class. */
export class KennelError extends Error {
  declare readonly code: KennelErrorCode
  /** HTTP status; 0 without a reply of the service. */
  declare readonly status: number
  /** The messages of the service, each with its field; empty if the reply contains no messages. */
  declare readonly messages: readonly Message[]
  /** Seconds after which to try again; `undefined` if the service names no time. */
  declare readonly retryAfter: number | undefined

  /**
   * Only the client makes such errors.
   *
   * @internal
   */
  constructor(code: KennelErrorCode, { status = 0, messages = [], retryAfter, ...options }: Details = {}) {
    const texts = messages.map(({ message }) => message).join('; ')
    super(texts || `${code} (status ${status})`, options)
    Object.assign(this, { name: 'KennelError', code, status, messages, retryAfter })
  }
}
