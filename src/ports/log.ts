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
  readonly sessionId?: string
  readonly address?: string
  readonly count?: number
  readonly audit?: Pick<AuditRecord, 'event' | 'actor' | 'subject' | 'outcome'>
  /** Why a request was refused, in words of ours. */
  readonly detail?: string
  /** Written with its names, messages of known safety, stacks and causes. */
  readonly error?: unknown
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Where the service tells what it does. `event` is a constant sentence, never built from input. */
export type Log = {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
  enabled(level: LogLevel): boolean
}
