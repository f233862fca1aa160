import type { Message } from './described.js'

/**
 * Why a call failed: the `type` of the service's first message; `network` where no whole reply came;
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
  readonly code: KennelErrorCode
  /** HTTP status; 0 where there was no reply. */
  readonly status: number
  /** What the service said, with the field that each is about; empty where it said nothing readable. */
  readonly messages: readonly Message[]
  /** Seconds after which to try again, where the service said so. */
  readonly retryAfter: number | undefined

  /**
   * Only the client makes such errors.
   *
   * @internal
   */
  constructor(code: KennelErrorCode, { status = 0, messages = [], retryAfter, cause }: About) {
    const said = messages.map(({ message }) => message).join('; ')
    super(said || `${code} (status ${status})`, cause === undefined ? {} : { cause })
    this.name = 'KennelError'
    this.code = code
    this.status = status
    this.messages = messages
    this.retryAfter = retryAfter
  }
}
