import type { LogFields } from '../../ports/log.js'
import { writtenError } from './written-error.js'

const TEXT_MAX = 1_000

/** Keeps only known fields of the right type; the resulting objects all have the same shape, which is faster to serialize. */
export function writtenFields(fields: LogFields = {}) {
  return {
    requestId: text(fields.requestId),
    method: text(fields.method),
    route: text(fields.route),
    status: number(fields.status),
    durationMs: number(fields.durationMs),
    accountId: number(fields.accountId),
    apiKeyId: number(fields.apiKeyId),
    sessionId: text(fields.sessionId),
    address: text(fields.address),
    count: number(fields.count),
    worker: number(fields.worker),
    audit: audit(fields.audit),
    detail: text(fields.detail),
    // Any value can be thrown, even `undefined`.
    error: 'error' in fields ? writtenError(fields.error) : undefined,
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, TEXT_MAX) : undefined
}

function audit(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const { event, actor, subject, outcome, count } = value as Record<string, unknown>
  return {
    event: text(event),
    actor: text(actor),
    subject: text(subject),
    outcome: text(outcome),
    count: number(count),
  }
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
