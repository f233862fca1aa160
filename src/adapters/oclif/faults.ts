import type { Command } from '@oclif/core'
import { isRefusal, type Message, type Refusal } from '../../domain/refusal.js'
import { CommandFault } from './operation.js'

/**
 * Why a command could not do its work, for its JSON document. What an operator may know beyond
 * that goes to standard error, the stack of a fault that nobody foresaw only with `debug`.
 */
export function explain(command: Command, error: unknown, debug: boolean): readonly Message[] {
  if (debug) command.logToStderr(stackOf(error))
  if (isRefusal(error)) {
    if (error.detail !== undefined) command.logToStderr(error.detail)
    return messagesOf(error)
  }
  if (error instanceof CommandFault) {
    return error.faults.map((message) => ({ field: '', type: 'NotValid', message }))
  }
  command.logToStderr(unforeseen(error))
  return [{ field: '', type: 'Unavailable', message: 'Internal error.' }]
}

/** Who operates the store is told what is wrong with it; "try again shortly" is for its clients. */
function messagesOf({ code, messages, detail }: Refusal): readonly Message[] {
  if (code !== 'unavailable' || detail === undefined) return messages
  return [{ field: '', type: 'Unavailable', message: detail }]
}

/** A fault of ours in one line. */
export function unforeseen(error: unknown): string {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown fault'
  return `${what} (--debug shows where it comes from)`
}

/** The stack and those of its causes; of a fault only what it was thrown with, no value around it. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no stack'
  const stack = error.stack ?? error.message
  return error.cause === undefined ? stack : `${stack}\ncaused by ${stackOf(error.cause)}`
}
