import { isRefusal, type RefusalCode } from '../domain/refusal.js'

/** The HTTP status for each refusal. Messages of the command-line program also contain this status. */
export const STATUS_OF: Readonly<Record<RefusalCode, number>> = {
  malformed: 400,
  invalid: 400,
  'login-failed': 401,
  'second-factor-required': 401,
  'fresh-login-required': 401,
  'invalid-token': 401,
  'invalid-credentials': 401,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  stale: 412,
  'idempotency-key-reused': 422,
  'too-many-attempts': 429,
  overloaded: 503,
  unavailable: 503,
  'incompatible-store': 500,
  'missing-package': 500,
}

/** Returns the HTTP status for a refusal. Throws any other error unchanged, because it is unexpected. */
export function statusOf(error: unknown): number {
  if (!isRefusal(error)) throw error
  return STATUS_OF[error.code]
}
