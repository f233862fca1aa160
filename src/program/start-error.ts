import { OperatorError } from '../domain/operator-error.js'
import { isRefusal } from '../domain/refusal.js'
import { listeningError } from './listening.js'
import type { ToPrimary } from './workers/messages.js'

/** An `OperatorError` if an operator can correct the error of a start; any other error keeps its stack. */
export function startError(error: unknown): unknown {
  if (isRefusal(error)) return new OperatorError([error.detail ?? error.message])
  return listeningError(error, { host: 'host', port: 'port' }) ?? error
}

/** Why a worker cannot go on, for the primary process: sentences for an operator, or the stack. */
export function failureOf(error: unknown): Omit<Extract<ToPrimary, { kind: 'failed' }>, 'kind'> {
  const known = startError(error)
  if (known instanceof OperatorError) return { sentences: known.errors }
  if (!(error instanceof Error)) return { sentences: [] }
  const { stack } = error
  const code = 'code' in error ? String(error.code) : undefined
  return { sentences: [], ...(stack !== undefined && { stack }), ...(code !== undefined && { code }) }
}
