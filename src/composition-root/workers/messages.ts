import type { PermissionRules } from '../../domain/access/permissions.js'
import type { Milliseconds } from '../../domain/instant.js'
import type { LogLevel } from '../../ports/log.js'

/** What a worker is, the same for as long as the service runs: one that takes the place of another gets the same. */
export type Start = {
  readonly kind: 'start'
  /** From 1 to `workers`; whoever takes the place of a worker that died has its number. */
  readonly worker: number
  /** How many share the machine and the limits. */
  readonly workers: number
  /** As the primary has read them, with what files hold: a file that has changed since is in force for none or for all. */
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly permissions: PermissionRules
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
  /** The numbers of now are asked for; answered by `metrics` of the same `request`. */
  | { readonly kind: 'metrics'; readonly request: number }
  /** Drain within this time, close the store, and end. */
  | { readonly kind: 'stop'; readonly grace: Milliseconds }

/** What a worker tells the primary. */
export type ToPrimary =
  | { readonly kind: 'listening'; readonly host: string; readonly port: number }
  | { readonly kind: 'opened' }
  /** There is a mail in the queue, which the primary sends. */
  | { readonly kind: 'mail-queued' }
  | { readonly kind: 'metrics'; readonly request: number; readonly snapshot: unknown }
  /** It cannot go on, and ends; an operator is told these sentences. `stack` is of an error that nobody has foreseen. */
  | { readonly kind: 'failed'; readonly sentences: readonly string[]; readonly stack?: string }
