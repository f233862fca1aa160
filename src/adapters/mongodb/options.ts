import type { Milliseconds } from '../../domain/instant.js'

/** Times are in milliseconds. */
export type MongoOptions = {
  /** How long a call may take, with retries and elections, before it is `unavailable`; 4,500. */
  readonly timeout?: Milliseconds
  /** How long `ready` waits; 1,500. */
  readonly readyTimeout?: Milliseconds
  /** The largest number of connections of one instance to one server; 50. */
  readonly poolSize?: number
  /** How long opening retries while no server can be used and waiting may help; 0. */
  readonly startTimeout?: Milliseconds
  /** Called with the reason when opening waits. */
  readonly onWait?: (reason: string) => void
  /** Called if this instance has initialised an empty database. */
  readonly onCreated?: () => void
  /** Receives the driver's own client, a `MongoClient`, for an observer of its commands. */
  // A method, so that a function with a `MongoClient` parameter is assignable without the driver's declarations.
  onClient?(client: object): void
}

export const DEFAULTS = { timeout: 4_500, readyTimeout: 1_500, poolSize: 50 }
