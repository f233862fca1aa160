import type { Milliseconds } from '../../domain/instant.js'

/** How long to wait, in milliseconds, and with how many connections. */
export type MongoOptions = {
  /** How long a call may take in all, retries and elections included, before it is `unavailable`; 4,500. */
  readonly timeout?: Milliseconds
  /** How long `ready` waits; 1,500. */
  readonly readyTimeout?: Milliseconds
  /** Connections of one instance to one server, at most; 50. */
  readonly poolSize?: number
  /** How long opening goes on trying while no server can be used and time may mend that; 0. */
  readonly startTimeout?: Milliseconds
  /** Is told why opening goes on trying. */
  readonly onWait?: (reason: string) => void
  /** Called when the database was empty and this instance has begun to use it. */
  readonly onCreated?: () => void
  /** Hands out the driver's own client, a `MongoClient`, for an observer of its commands. */
  // A method, so that a function of a `MongoClient` fits: the driver's declarations are not needed to compile this.
  onClient?(client: object): void
}

export const DEFAULTS = { timeout: 4_500, readyTimeout: 1_500, poolSize: 50 }
