import type { AuditRecord } from '../domain/audit.js'

/** The fields of a log line. There are no other fields, so that no secret is logged by accident. `undefined` members are omitted. */
export type LogFields = {
  readonly requestId?: string | undefined
  readonly method?: string | undefined
  /** The pattern of the route, never the requested path. */
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
  /** Why a request was refused. Never contains client input. */
  readonly detail?: string | undefined
  /** Any thrown value. Logs the name, stack and causes of an error, and its message if the message is known to be safe. */
  readonly error?: unknown
}

/** The log levels in ascending order of severity. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The log of the service. `event` is a constant sentence, never built from input. */
export type Log = {
  /** Logs an event that helps with debugging. */
  debug(event: string, fields?: LogFields): void
  /** Logs an event of normal operation. */
  info(event: string, fields?: LogFields): void
  /** Logs a condition that an operator should look at soon. */
  warn(event: string, fields?: LogFields): void
  /** Logs an error that the client did not cause. */
  error(event: string, fields?: LogFields): void
  /** Returns whether lines of this level are written, for callers whose fields are expensive to compute. */
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
