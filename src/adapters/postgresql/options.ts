import { SERVER_DEFAULTS, type ServerOptions } from '../server-options.js'

/** Options of the PostgreSQL store, with times in milliseconds. */
export type PostgresOptions = ServerOptions & {
  /** The schema that contains the tables, created if it is missing; `kennel` by default. */
  readonly schema?: string
  /** Maximum number of connections of one instance; 10 by default. The parameter `pool_size` of the URL takes precedence. */
  readonly poolSize?: number
  /** Called with a sentence if acknowledged writes may be lost when the server fails over to a standby. */
  readonly onWarning?: (sentence: string) => void
}

export const DEFAULTS = { ...SERVER_DEFAULTS, schema: 'kennel', poolSize: 10 }
