import type { AuditRecord } from '../domain/audit.js'

/**
 * Everything that a log line may carry beside its event: a closed list, so that no secret can slip in.
 * What is `undefined` is left out.
 */
export type LogFields = {
  readonly requestId?: string | undefined
  readonly method?: string | undefined
  /** The route's pattern, never the path that was asked for. */
  readonly route?: string | undefined
  readonly status?: number | undefined
  readonly durationMs?: number | undefined
  readonly accountId?: number | undefined
  /** The key's id, never the key. */
  readonly apiKeyId?: number | undefined
  readonly sessionId?: string | undefined
  readonly address?: string | undefined
  readonly count?: number | undefined
  /** Which worker process it is about, by its number. */
  readonly worker?: number | undefined
  readonly audit?: Pick<AuditRecord, 'event' | 'actor' | 'subject' | 'outcome' | 'count'> | undefined
  /** Why a request was refused, in words of ours. */
  readonly detail?: string | undefined
  /** Written with its names, messages of known safety, stacks and causes; an `undefined` that was thrown is one too. */
  readonly error?: unknown
}

/** How much it matters, the least first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Where the service tells what it does. `event` is a constant sentence, never built from input. */
export type Log = {
  /** For the search for an error. */
  debug(event: string, fields?: LogFields): void
  /** What goes on when all is well. */
  info(event: string, fields?: LogFields): void
  /** An operator should look at it in time. */
  warn(event: string, fields?: LogFields): void
  /** Something failed, and it was not for the client. */
  error(event: string, fields?: LogFields): void
  /** Whether such a line would be written, for callers whose fields cost something to make. */
  enabled(level: LogLevel): boolean
}

/** Where nothing is told. */
export const SILENT_LOG: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  enabled: () => false,
}
