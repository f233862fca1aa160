import type { Milliseconds } from '../../domain/instant.js'

/** Options of the MongoDB store, with times in milliseconds. */
export type MongoOptions = {
  /** Maximum duration of a call including retries and elections, after which the call fails with `unavailable`; 4,500 by default. */
  readonly timeout?: Milliseconds
  /** Maximum duration of `ready`; 1,500 by default. */
  readonly readyTimeout?: Milliseconds
  /** Maximum number of connections of one instance to one server; 50 by default. */
  readonly poolSize?: number
  /** How long to keep retrying to open the store while no server is usable and waiting may help; 0 by default. */
  readonly startTimeout?: Milliseconds
  /** Called with the reason for waiting. */
  readonly onWait?: (reason: string) => void
  /** Called if this instance initialized an empty database. */
  readonly onCreated?: () => void
  /** Whether the schema of an earlier release is upgraded; `true` by default. If `false`, such a database is refused and stays unchanged. */
  readonly upgrade?: boolean
  /** Receives the driver's `MongoClient`, for example to observe its commands. */
  // Declared as a method so that a function with a `MongoClient` parameter is assignable.
  onClient?(client: object): void
}

export const DEFAULTS = { timeout: 4_500, readyTimeout: 1_500, poolSize: 50 }
