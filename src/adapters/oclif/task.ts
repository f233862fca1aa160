import { Errors, type Command } from '@oclif/core'
import type { Message } from '../../domain/refusal.js'
import { explain } from './faults.js'
import { createOutput } from './output.js'
import { UsageFault, type OpenOperation, type Operation } from './operation.js'

/** The result of most tasks; `save` counts what was saved. */
export type SaveResult = { readonly errors: readonly Message[]; readonly save: number }

export function saved(more: object = {}): SaveResult {
  return { errors: [], save: 1, ...more }
}

export function notSaved(errors: readonly Message[]): SaveResult {
  return { errors, save: 0 }
}

export type Opening = {
  readonly open: OpenOperation
  /** Show stacks. */
  readonly debug: boolean
}

/**
 * Runs one task and prints its one JSON document: exit 0 where it was done, 1 with the reasons
 * where nothing was saved, 2 without any output for wrong usage. What people should read goes
 * to standard error.
 */
export async function runTask(
  command: Command,
  opening: Opening,
  work: (operation: Operation) => Promise<object>,
  failed: (errors: readonly Message[], operation: Operation | undefined) => object = notSaved,
): Promise<void> {
  const output = createOutput(process.stdout)
  const print = async (document: object) => {
    await output.write(`${JSON.stringify(document)}\n`)
    output.settle(command)
  }
  await inOperation(
    command,
    opening,
    async (operation) => await print(await work(operation)),
    async (errors, operation) => await print(failed(errors, operation)),
  )
}

/** Opens the store, works, and closes it whatever happens. `failed` tells why; the exit status is 1 then. */
export async function inOperation(
  command: Command,
  { open, debug }: Opening,
  work: (operation: Operation) => Promise<void>,
  failed: (errors: readonly Message[], operation: Operation | undefined) => Promise<void>,
): Promise<void> {
  let operation: Operation | undefined
  try {
    operation = await open()
    await work(operation)
  } catch (error) {
    if (error instanceof Errors.ExitError) throw error
    if (error instanceof UsageFault) command.error(error.message, { exit: 2 })
    await failed(explain(command, error, debug), operation)
    command.exit(1)
  } finally {
    await operation?.close()
  }
}
