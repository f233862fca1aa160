import type { Sample } from './memory-trend.js'
import type { Pool } from './pool.js'

/** What the process of the service is asked. */
export type Question = 'pool' | 'content' | 'report' | 'memory' | 'ping' | 'end'

/** What it tells when it is ready. */
export type Opened = { readonly koa: number; readonly web: number }

/** A change of the store that a refused request has made. */
export type RefusedWrite = {
  readonly clientPort: number
  readonly request: string
  readonly status: number
  readonly writes: readonly string[]
}

export type Report = {
  readonly refusedWrites: readonly RefusedWrite[]
  /** What the service has logged as an error of its own. */
  readonly errors: readonly string[]
  /** How many connections it has cut off, since their client took no byte for its timeout: as on a busy machine. */
  readonly stalled: number
}

export type Answers = {
  readonly pool: Pool
  readonly content: string
  readonly report: Report
  readonly memory: Sample
  readonly ping: 'alive'
  readonly end: 'ended'
}
