import type { Command } from '@oclif/core'
import { Refusal, type Message } from '../../domain/refusal.js'
import { SetupFault, UsageFault, type OpenOperation, type Operation } from './operation.js'

/** The result of most tasks; `save` counts what was saved. */
export type SaveResult = { readonly errors: readonly Message[]; readonly save: number }

export function saved(more: object = {}): SaveResult {
  return { errors: [], save: 1, ...more }
}

function notSaved(errors: readonly Message[]): SaveResult {
  return { errors, save: 0 }
}

/**
 * Runs one task and prints its one JSON document: exit 0 where it was done, 1 with the reasons
 * where nothing was saved, 2 without any output for wrong usage. What people should read goes
 * to standard error.
 */
export async function runTask(
  command: Command,
  open: OpenOperation,
  work: (operation: Operation) => Promise<object>,
  failed: (errors: readonly Message[], operation: Operation | undefined) => object = notSaved,
): Promise<void> {
  let operation: Operation | undefined
  try {
    operation = await open()
    print(command, await work(operation))
  } catch (error) {
    if (error instanceof UsageFault) command.error(error.message, { exit: 2 })
    print(command, failed(explain(command, error), operation))
    command.exit(1)
  } finally {
    await operation?.close()
  }
}

function print(command: Command, document: object): void {
  command.log(JSON.stringify(document))
}

/** The reasons for the JSON document; what an operator may know beyond them goes to standard error. */
function explain(command: Command, error: unknown): readonly Message[] {
  if (error instanceof Refusal) {
    if (error.detail !== undefined) command.logToStderr(error.detail)
    return error.messages
  }
  if (error instanceof SetupFault) {
    return error.faults.map((message) => ({ field: '', type: 'NotValid', message }))
  }
  command.logToStderr(error instanceof Error ? `${error.name}: ${error.message}` : 'unknown fault')
  return [{ field: '', type: 'Unavailable', message: 'Internal error.' }]
}
