import { CommandError } from '../adapters/oclif/command-context.js'
import { isRefusal } from '../domain/refusal.js'
import { listeningError } from './listening.js'

/** Errors of a start that an operator can correct are told in sentences; anything else keeps its stack. */
export function startError(error: unknown): unknown {
  if (isRefusal(error)) return new CommandError([error.detail ?? error.message])
  return listeningError(error, { host: 'host', port: 'port' }) ?? error
}
