import type { ProcessNumbers } from '../../adapters/prometheus/process-numbers.js'
import type { SettingsSource } from '../../configuration/from-environment.js'
import type { LogLevel } from '../../ports/log.js'

/** The first message to a worker. A replacement gets the same message as the dead worker. */
export type Start = {
  readonly kind: 'start'
  /** A number from 1 to `workers`; a replacement has the number of the dead worker. */
  readonly worker: number
  /** The number of workers that share the machine and the limits. */
  readonly workers: number
  /** The settings as the primary has read them; a file that changes later does not affect any worker. */
  readonly source: SettingsSource
  /** The current log level, which a signal may have changed. */
  readonly logLevel: LogLevel | 'silent'
}

/**
 * The messages from the primary to a worker. When the service starts, the primary sends `start`, `listen`, `open` and `serve` in this
 * order. A replacement receives `listen` last, so that the other workers get all connections until the replacement can handle requests.
 */
export type ToWorker =
  | Start
  /** Share the socket; answered by `listening`. */
  | { readonly kind: 'listen'; readonly port: number }
  /** Open the store and compose the use cases; answered by `opened`. */
  | { readonly kind: 'open'; readonly publicUrl: string; readonly passphrase: string }
  /** Answer requests from now on. */
  | { readonly kind: 'serve' }
  | { readonly kind: 'log-level'; readonly logLevel: LogLevel | 'silent' }
  /** Send the current numbers, with or without the numbers of the process; answered by `metrics` of the same `request`. */
  | { readonly kind: 'metrics'; readonly request: number; readonly ofProcess: boolean }
  /** The answer to an `audit` of the same `request`. */
  | { readonly kind: 'audited'; readonly request: number; readonly isKept: boolean }
  /** Give a sign of life; answered by `alive`. */
  | { readonly kind: 'ping' }
  /** Drain within SHUTDOWN_GRACE, close the store, and end. */
  | { readonly kind: 'stop' }

/** The messages from a worker to the primary. */
export type ToPrimary =
  /** From this message on, the worker receives messages; earlier messages are lost. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'listening'; readonly host: string; readonly port: number }
  | { readonly kind: 'opened' }
  /** The worker's event loop runs. */
  | { readonly kind: 'alive' }
  /** The queue has a new mail, which the primary sends. */
  | { readonly kind: 'mail-queued' }
  /** Write an audit record that must not be lost; without a line, say whether none is being lost. Answered by `audited`. */
  | { readonly kind: 'audit'; readonly request: number; readonly line?: string | undefined }
  | { readonly kind: 'metrics'; readonly request: number; readonly numbers: ProcessNumbers }
  | ({ readonly kind: 'failed' } & Failure)

/** The reason why a worker ends: sentences for an operator and, if the error is unexpected, its `stack` and `code`. */
export type Failure = {
  readonly sentences: readonly string[]
  readonly stack?: string | undefined
  readonly code?: string | undefined
}
