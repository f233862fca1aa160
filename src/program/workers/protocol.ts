import type { ProcessNumbers } from '../../adapters/prometheus/process-numbers.js'
import type { SettingsSource } from '../../configuration/from-environment.js'
import type { LogLevel } from '../../ports/log.js'

/** The first message to a worker. A replacement gets the same message as the dead worker. */
export type Start = {
  readonly kind: 'start'
  /** A number from 1 to `workers`; a replacement reuses the number of the dead worker. */
  readonly worker: number
  /** The number of workers that share the machine and the limits. */
  readonly workers: number
  /** The settings as read by the primary, so that later changes to files do not affect workers. */
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
  /** Makes the worker share the socket; the reply is `listening`. */
  | { readonly kind: 'listen'; readonly port: number }
  /** Makes the worker open the store and create its use cases; the reply is `opened`. */
  | { readonly kind: 'open'; readonly publicUrl: string; readonly passphrase: string }
  | { readonly kind: 'serve' }
  | { readonly kind: 'log-level'; readonly logLevel: LogLevel | 'silent' }
  /** Requests the current metrics, with or without those about the process; the reply is `metrics` with the same `request`. */
  | { readonly kind: 'metrics'; readonly request: number; readonly ofProcess: boolean }
  | { readonly kind: 'audited'; readonly request: number; readonly isKept: boolean }
  /** Checks whether the worker responds; the reply is `alive`. */
  | { readonly kind: 'ping' }
  /** Makes the worker complete its requests within SHUTDOWN_GRACE, close its store and exit. */
  | { readonly kind: 'stop' }

export type ToPrimary =
  /** Messages that the primary sends before this message arrives are lost. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'listening'; readonly host: string; readonly port: number }
  | { readonly kind: 'opened' }
  | { readonly kind: 'alive' }
  /** A new email is in the queue, and the primary should send it. */
  | { readonly kind: 'mail-queued' }
  /**
   * Asks the primary to write an audit record that must not be lost, or, without a `line`, whether records can be written. The reply is
   * `audited`.
   */
  | { readonly kind: 'audit'; readonly request: number; readonly line?: string | undefined }
  | { readonly kind: 'metrics'; readonly request: number; readonly numbers: ProcessNumbers }
  | ({ readonly kind: 'failed' } & Failure)

/** The reason why a worker ends: sentences for an operator and, if the error is unexpected, its `stack` and `code`. */
export type Failure = {
  readonly sentences: readonly string[]
  readonly stack?: string | undefined
  readonly code?: string | undefined
}

const ARGUMENT = 'worker'

export function workerArguments(worker: number): string[] {
  return [ARGUMENT, String(worker)]
}

export function isWorker(): boolean {
  return process.argv[2] === ARGUMENT && process.connected
}

/**
 * V8 options that save memory, with values in mebibytes and percent. Half of V8's default size for short-lived objects saves 16 MiB per
 * process. The memory for long-lived objects, such as cached sessions, is limited to 1.5 times the used memory, or to 32 MiB in total; by
 * default, 20 to 60 MiB were wasted after 100,000 sessions.
 */
const OURS = [
  ['--max-semi-space-size', 8],
  ['--initial-old-space-size', 32],
  ['--heap-growing-percent', 50],
] as const

/**
 * Returns the Node options for a worker. These options do not increase the CPU time of requests with cached sessions. Options that the
 * operator has set take precedence. `args` contains the options of this process; `nodeOptions` is the value of NODE_OPTIONS.
 */
export function workerHeap(args: readonly string[], nodeOptions: string): readonly string[] {
  const chosen = [...args, nodeOptions].map((text) => text.replaceAll('_', '-'))
  const ours = OURS.filter(([name]) => !chosen.some((text) => text.includes(name)))
  return [...args, ...ours.map(([name, value]) => `${name}=${value}`)]
}
