import type { AuditRecord } from '../domain/audit.js'

/**
 * The members of a log line besides its event. The list is closed, so that no secret is logged by accident. `undefined`
 * members are omitted.
 */
export type LogFields = {
  readonly requestId?: string | undefined
  readonly method?: string | undefined
  /** The route's pattern, never the requested path. */
  readonly route?: string | undefined
  readonly status?: number | undefined
  readonly durationMs?: number | undefined
  readonly accountId?: number | undefined
  readonly apiKeyId?: number | undefined
  readonly sessionId?: string | undefined
  readonly address?: string | undefined
  readonly count?: number | undefined
  readonly worker?: number | undefined
  readonly audit?: Pick<AuditRecord, 'event' | 'actor' | 'subject' | 'outcome' | 'count'> | undefined
  /** Why a request was refused. Never contains text from the client. */
  readonly detail?: string | undefined
  /** Logged with its name, its stack, its causes and, if known to be safe, its message. May be a thrown `undefined`. */
  readonly error?: unknown
}

/** In ascending order of importance. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The log of the service. `event` is a constant sentence, never built from input. */
export type Log = {
  /** Logs an event that helps with debugging. */
  debug(event: string, fields?: LogFields): void
  /** Logs an event of normal operation. */
  info(event: string, fields?: LogFields): void
  /** An operator should look at the condition soon. */
  warn(event: string, fields?: LogFields): void
  /** An error that the client did not cause. */
  error(event: string, fields?: LogFields): void
  /** Whether lines of this level are written, for callers whose fields are expensive to compute. */
  enabled(level: LogLevel): boolean
}

/** Discards every line. */
export const SILENT_LOG: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  enabled: () => false,
}
