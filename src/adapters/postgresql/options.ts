import type { Milliseconds } from '../../domain/instant.js'

/** Options of the PostgreSQL store, with times in milliseconds. */
export type PostgresOptions = {
  /** The schema that contains the tables, created if it is missing; `kennel` by default. */
  readonly schema?: string
  /** Maximum duration of a call, after which the call fails with `unavailable`; 4,500 by default. */
  readonly timeout?: Milliseconds
  /** Maximum duration of `ready`; 1,500 by default. */
  readonly readyTimeout?: Milliseconds
  /** Maximum number of connections of one instance; 10 by default. The parameter `pool_size` of the URL takes precedence. */
  readonly poolSize?: number
  /** How long to keep retrying to open the store while no server is usable and waiting may help; 0 by default. */
  readonly startTimeout?: Milliseconds
  /** Called with the reason for waiting. */
  readonly onWait?: (reason: string) => void
  /** Called if this instance created the tables. */
  readonly onCreated?: () => void
  /** Whether the tables of an earlier release are upgraded; `true` by default. If `false`, such tables are refused and stay unchanged. */
  readonly upgrade?: boolean
  /** Called with a sentence if acknowledged writes may be lost when the server fails over to a standby. */
  readonly onWarning?: (sentence: string) => void
}

export const DEFAULTS = { schema: 'kennel', timeout: 4_500, readyTimeout: 1_500, poolSize: 10 }
