import type { AuditRecord } from '../domain/audit.js'

/** Everything that a log line may carry beside its event: a closed list, so that no secret can slip in. */
export type LogFields = {
  readonly requestId?: string
  readonly method?: string
  /** The route's pattern, never the path that was asked for. */
  readonly route?: string
  readonly status?: number
  readonly durationMs?: number
  readonly accountId?: number
  /** The key's id, never the key. */
  readonly apiKeyId?: number
  readonly sessionId?: string
  readonly address?: string
  readonly count?: number
  readonly audit?: Pick<AuditRecord, 'event' | 'actor' | 'subject' | 'outcome'>
  /** Why a request was refused, in words of ours. */
  readonly detail?: string
  /** Written with its names, messages of known safety, stacks and causes. */
  readonly error?: unknown
}

/** How much it matters, the least first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Where the service tells what it does. `event` is a constant sentence, never built from input. */
export type Log = {
  /** For whoever looks for a fault. */
  debug(event: string, fields?: LogFields): void
  /** What goes on when all is well. */
  info(event: string, fields?: LogFields): void
  /** Somebody should look at it in time. */
  warn(event: string, fields?: LogFields): void
  /** Something failed, and it was not for the client. */
  error(event: string, fields?: LogFields): void
  /** Whether such a line would be written, for callers whose fields cost something to make. */
  enabled(level: LogLevel): boolean
}
