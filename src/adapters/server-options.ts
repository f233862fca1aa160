import type { Milliseconds } from '../domain/instant.js'

/** Options of a store on a database server, with times in milliseconds. */
export type ServerOptions = {
  /** Maximum duration of a call including retries, after which the call fails with `unavailable`; 4,500 by default. */
  readonly timeout?: Milliseconds
  /** Maximum duration of `ready`; 1,500 by default. */
  readonly readyTimeout?: Milliseconds
  /** How long to keep retrying to open the store while no server is usable and waiting may help; 0 by default. */
  readonly startTimeout?: Milliseconds
  /** Called with the reason for waiting. */
  readonly onWait?: (reason: string) => void
  /** Called if this instance initialized an empty database or schema. */
  readonly onCreated?: () => void
  /**
   * Whether the schema of an earlier release is upgraded; `true` by default. If `false`, a store with an earlier schema is rejected and
   * stays unchanged.
   */
  readonly upgrade?: boolean
}

export const SERVER_DEFAULTS = { timeout: 4_500, readyTimeout: 1_500 }
