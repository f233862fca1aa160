import type { Command } from '@oclif/core'
import {
  explainedMessages,
  isRefusal,
  type Message,
  type Refusal,
  OperatorError,
} from '../../domain/refusal.js'
import { codeOf } from '../../configuration/opened-file.js'
import { statusOf } from '../../http/refusal-status.js'
import { shownLines } from './output.js'

/** An entry in a command's `errors`: a message with the status that the HTTP interface would use. */
export type CommandMessage = Message & { readonly code: number }

const printed = new WeakSet<CommandMessage>()

export function isPrinted(message: CommandMessage): boolean {
  return printed.has(message)
}

/**
 * Returns the reasons why a command failed, for its JSON output. Prints further details for operators on standard error and, with `debug`,
 * the stack of the error.
 */
export function explain(command: Command, error: unknown, debug: boolean): readonly CommandMessage[] {
  if (debug) command.logToStderr(shownLines(stackOf(error)))
  if (isRefusal(error)) {
    // If `repair` is set, the message already contains the details.
    if (error.detail !== undefined && error.repair === undefined)
      command.logToStderr(shownLines(error.detail))
    const messages = messagesOf(error).map((one) => withStatus(one, statusOf(error)))
    for (const one of messages) if (one.message === error.detail) printed.add(one)
    return messages
  }
  if (error instanceof OperatorError) {
    return error.errors.map((message) => withStatus({ field: '', type: 'NotValid', message }, 400))
  }
  const sentence = unforeseen(error)
  command.logToStderr(shownLines(sentence))
  if (!isOutOfDescriptors(error))
    return [withStatus({ field: '', type: 'Unavailable', message: 'Internal error.' }, 500)]
  const shown = withStatus({ field: '', type: 'Unavailable', message: sentence }, 503)
  printed.add(shown)
  return [shown]
}

function withStatus({ message, field, type }: Message, code: number): CommandMessage {
  return { message, field, type, code }
}

/** Operators see the store's own error, because "try again shortly" is meant for clients of the service. */
function messagesOf(refusal: Refusal): readonly Message[] {
  const { code, detail } = refusal
  if (code !== 'unavailable' || detail === undefined) return explainedMessages(refusal)
  return [{ field: '', type: 'Unavailable', message: detail }]
}

/** Describes an unexpected error in one line, with advice for operators if available. */
export function unforeseen(error: unknown): string {
  if (isOutOfDescriptors(error)) return `Too many open files (${error.code}): ${RAISE_LIMIT}`
  const what = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error'
  return `${what} (use --debug to show the stack trace)`
}

export function isOutOfDescriptors(error: unknown): error is Error & { readonly code: string } {
  return ['EMFILE', 'ENFILE'].includes(codeOf(error))
}

/** `bin/app.js` repeats this advice in case this file cannot be read. */
const RAISE_LIMIT = 'raise the limit with "ulimit -n 1024", or LimitNOFILE= in the systemd unit.'

/** Returns the stack traces of the error and its causes, without any other properties. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no stack'
  const stack = error.stack ?? error.message
  return error.cause === undefined ? stack : `${stack}\ncaused by ${stackOf(error.cause)}`
}
