import type { ServerOptions } from '../database-server.js'

// This type has its own file because the declarations of database.ts need the driver's types, which a user may not have installed.
/** Options of the MongoDB store, with times in milliseconds. */
export type MongoOptions = ServerOptions & {
  /** Maximum number of connections of one instance to one server; 50 by default. */
  readonly poolSize?: number
  /** Receives the driver's `MongoClient`, for example to observe its commands. */
  // Declared as a method so that a function with a `MongoClient` parameter is assignable.
  onClient?(client: object): void
}
