import type { AuditRecord } from '../domain/audit.js'

/**
 * The members of a log line besides its event: a closed list, so that no secret can slip in. `undefined` members are left
 * out.
 */
export type LogFields = {
  readonly requestId?: string | undefined
  readonly method?: string | undefined
  /** The route's pattern, never the requested path. */
  readonly route?: string | undefined
  readonly status?: number | undefined
  readonly durationMs?: number | undefined
  readonly accountId?: number | undefined
  /** The key's id, never the key. */
  readonly apiKeyId?: number | undefined
  readonly sessionId?: string | undefined
  readonly address?: string | undefined
  readonly count?: number | undefined
  readonly worker?: number | undefined
  readonly audit?: Pick<AuditRecord, 'event' | 'actor' | 'subject' | 'outcome' | 'count'> | undefined
  /** Why a request was refused, in a text of the service, never of the client. */
  readonly detail?: string | undefined
  /** Written with names, messages that are known to be safe, stacks and causes; may be a thrown `undefined`. */
  readonly error?: unknown
}

/** Importance, the least first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The log of the service. `event` is a constant sentence, never built from input. */
export type Log = {
  /** For debugging. */
  debug(event: string, fields?: LogFields): void
  /** Normal operation. */
  info(event: string, fields?: LogFields): void
  /** A condition that an operator should look at soon. */
  warn(event: string, fields?: LogFields): void
  /** An error that the client did not cause. */
  error(event: string, fields?: LogFields): void
  /** Whether such a line would be written, for callers whose fields are expensive to make. */
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
