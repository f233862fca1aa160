import type { ProcessNumbers } from '../../adapters/prometheus/process-numbers.js'
import type { SettingsSource } from '../../configuration/from-environment.js'
import type { LogLevel } from '../../ports/log.js'

/** What a worker is, the same for as long as the service runs: one that takes the place of another gets the same. */
export type Start = {
  readonly kind: 'start'
  /** From 1 to `workers`; one that takes the place of a worker that died has its number. */
  readonly worker: number
  /** How many share the machine and the limits. */
  readonly workers: number
  /** As the primary has read it: a file that was changed since is in force for none of the workers. */
  readonly source: SettingsSource
  /** Of now: a signal may have changed it. */
  readonly logLevel: LogLevel | 'silent'
}

/**
 * What the primary tells a worker. The steps of a start are `start`, `listen`, `open` and `serve`; a worker that takes the
 * place of another listens last, since a connection that it gets is lost to those that answer already.
 */
export type ToWorker =
  | Start
  /** Share the socket; answered by `listening`. */
  | { readonly kind: 'listen'; readonly port: number }
  /** Open the store and make everything that answers requests; answered by `opened`. */
  | { readonly kind: 'open'; readonly publicUrl: string; readonly passphrase: string }
  /** All are there: from now on requests are answered, and the worker is ready. */
  | { readonly kind: 'serve' }
  | { readonly kind: 'log-level'; readonly logLevel: LogLevel | 'silent' }
  /** The numbers of now are asked for, with those of the process or without; answered by `metrics` of the same `request`. */
  | { readonly kind: 'metrics'; readonly request: number; readonly ofProcess: boolean }
  /** Give a sign of life; answered by `alive`. */
  | { readonly kind: 'ping' }
  /** Drain within SHUTDOWN_GRACE, close the store, and end. */
  | { readonly kind: 'stop' }

/** What a worker tells the primary. */
export type ToPrimary =
  /** It hears from now on: what was told before is lost. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'listening'; readonly host: string; readonly port: number }
  | { readonly kind: 'opened' }
  /** It works off its events. */
  | { readonly kind: 'alive' }
  /** There is a mail in the queue, which the primary sends. */
  | { readonly kind: 'mail-queued' }
  | { readonly kind: 'metrics'; readonly request: number; readonly numbers: ProcessNumbers }
  /** It cannot go on, and ends; an operator is told these sentences. `stack` and `code` are of an unexpected error. */
  | {
      readonly kind: 'failed'
      readonly sentences: readonly string[]
      readonly stack?: string
      readonly code?: string
    }
