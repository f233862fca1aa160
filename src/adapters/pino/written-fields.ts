import type { LogFields } from '../../ports/log.js'
import { writtenError } from './written-error.js'

const TEXT_MAX = 1_000

/** The type closes the list for who writes the code, this table for what arrives at run time. */
const FIELDS: { readonly [K in keyof LogFields]-?: (value: unknown) => unknown } = {
  requestId: text,
  method: text,
  route: text,
  status: number,
  durationMs: number,
  accountId: number,
  apiKeyId: number,
  sessionId: text,
  address: text,
  count: number,
  audit,
  detail: text,
  error: writtenError,
}

type Name = keyof LogFields

/** Only what is on the list and of its type; a member that a spread object smuggled in is left out. */
export function writtenFields(fields: LogFields = {}): Record<string, unknown> {
  const written: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    if (Object.hasOwn(FIELDS, name)) written[name] = FIELDS[name as Name](fields[name as Name])
  }
  return written
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, TEXT_MAX) : undefined
}

function audit(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const { event, actor, subject, outcome } = value as Record<string, unknown>
  return { event: text(event), actor: text(actor), subject: text(subject), outcome: text(outcome) }
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
