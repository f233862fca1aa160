import type { Milliseconds } from '../../domain/instant.js'

/** Times are in milliseconds. */
export type MongoOptions = {
  /** Maximum duration of a call with retries and elections, before it is `unavailable`; 4,500 by default. */
  readonly timeout?: Milliseconds
  /** Maximum duration of `ready`; 1,500 by default. */
  readonly readyTimeout?: Milliseconds
  /** Maximum number of connections of one instance to one server; 50 by default. */
  readonly poolSize?: number
  /** How long opening retries while no server is usable and waiting may help; 0 by default. */
  readonly startTimeout?: Milliseconds
  /** Called with the reason for waiting. */
  readonly onWait?: (reason: string) => void
  /** Called if this instance initialised an empty database. */
  readonly onCreated?: () => void
  /** Receives the driver's `MongoClient`, for example to observe its commands. */
  // A method, so that a function with a `MongoClient` parameter is assignable.
  onClient?(client: object): void
}

export const DEFAULTS = { timeout: 4_500, readyTimeout: 1_500, poolSize: 50 }
