import type { Message } from './described.js'

/**
 * Why a call failed: the `type` of the service's first message; `network` if no whole reply of the service came;
 * `unreadable` where a success has a body that is not the described one.
 */
export type KennelErrorCode = Message['type'] | 'network' | 'unreadable'

/** What is known of a failure. */
type About = {
  readonly status?: number
  readonly messages?: readonly Message[]
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** Every failure of a call. Tell it by `name` and `code`: another copy of this package has another class. */
export class KennelError extends Error {
  declare readonly code: KennelErrorCode
  /** HTTP status; 0 if there was no reply of the service. */
  declare readonly status: number
  /** What the service said, with the field that each is about; empty where it said nothing readable. */
  declare readonly messages: readonly Message[]
  /** Seconds after which to try again, where the service said so. */
  declare readonly retryAfter: number | undefined

  /**
   * Only the client makes such errors.
   *
   * @internal
   */
  constructor(code: KennelErrorCode, { status = 0, messages = [], retryAfter, ...options }: About = {}) {
    const said = messages.map(({ message }) => message).join('; ')
    super(said || `${code} (status ${status})`, options)
    Object.assign(this, { name: 'KennelError', code, status, messages, retryAfter })
  }
}
