import type { ServerOptions } from '../database-server.js'

// This type has its own file because the declarations of server.ts need the driver's types, which a user may not have installed.
/** Options of the PostgreSQL store, with times in milliseconds. */
export type PostgresOptions = ServerOptions & {
  /** The schema that contains the tables, created if it is missing; `kennel` by default. */
  readonly schema?: string
  /** Maximum number of connections of one instance; 10 by default. The parameter `pool_size` of the URL takes precedence. */
  readonly poolSize?: number
  /** Called with a sentence if acknowledged writes may be lost when the server fails over to a standby. */
  readonly onWarning?: (sentence: string) => void
}
