import { CommandError } from '../../adapters/oclif/command-context.js'
import { ConfigurationError } from '../../configuration/configuration-error.js'
import { startError } from '../start-error.js'
import type { ToPrimary } from './messages.js'

/** Why a worker cannot go on, as the primary process is told: in sentences for an operator, else with the stack. */
export function told(error: unknown): Omit<Extract<ToPrimary, { kind: 'failed' }>, 'kind'> {
  const known = startError(error)
  if (known instanceof CommandError || known instanceof ConfigurationError) return { sentences: known.errors }
  if (!(error instanceof Error)) return { sentences: [] }
  const { stack } = error
  const code = 'code' in error ? String(error.code) : undefined
  return { sentences: [], ...(stack !== undefined && { stack }), ...(code !== undefined && { code }) }
}
