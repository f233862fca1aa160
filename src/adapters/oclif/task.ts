import { Errors, type Command } from '@oclif/core'
import { explain, type CommandMessage } from './errors.js'
import { createOutput } from './output.js'
import {
  UsageError,
  type Creating,
  type OpenCommandContext,
  type CommandContext,
  type StoreFlag,
} from './command-context.js'
import { jsonLine, shownText } from './terminal-text.js'

/** The result of most tasks; `save` counts what was saved. */
export type SaveResult = { readonly errors: readonly CommandMessage[]; readonly save: number }

export function saved(more: object = {}): SaveResult {
  return { errors: [], save: 1, ...more }
}

export function notSaved(errors: readonly CommandMessage[]): SaveResult {
  return { errors, save: 0 }
}

export type Opening = StoreFlag & {
  readonly open: OpenCommandContext
  /** Whether it makes a store that does not exist: a command that only reads never does. */
  readonly creating?: Creating
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
  work: (operation: CommandContext) => Promise<object>,
  failed: (errors: readonly CommandMessage[], operation: CommandContext | undefined) => object = notSaved,
): Promise<void> {
  await inCommandContext(
    command,
    opening,
    async (operation) => await print(command, await work(operation)),
    async (errors, operation) => await print(command, failed(errors, operation)),
  )
}

/** Prints the document of a task that failed. */
export async function printNotSaved(command: Command, errors: readonly CommandMessage[]): Promise<void> {
  await print(command, notSaved(errors))
}

async function print(command: Command, document: object): Promise<void> {
  const output = createOutput(process.stdout)
  await output.write(`${jsonLine(document)}\n`)
  output.settle(command)
}

/** Opens the store, works, and closes it whatever happens. `failed` tells why; the exit status is 1 then. */
export async function inCommandContext(
  command: Command,
  { open, store, debug, creating = 'never' }: Opening,
  work: (operation: CommandContext) => Promise<void>,
  failed: (errors: readonly CommandMessage[], operation: CommandContext | undefined) => Promise<void>,
): Promise<void> {
  const opened: { operation?: CommandContext } = {}
  try {
    await refusable(
      command,
      debug,
      async () => {
        const say = (line: string) => command.logToStderr(shownText(line))
        opened.operation = await open({ store, creating, say })
        await work(opened.operation)
      },
      async (errors) => await failed(errors, opened.operation),
    )
  } finally {
    await opened.operation?.close()
  }
}

/** Works; where that is refused or fails, `failed` tells why and the exit status is 1, for wrong usage 2. */
export async function refusable(
  command: Command,
  debug: boolean,
  work: () => Promise<void>,
  failed: (errors: readonly CommandMessage[]) => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Errors.ExitError) throw error
    if (error instanceof UsageError) command.error(shownText(error.message), { exit: 2 })
    await failed(explain(command, error, debug))
    command.exit(1)
  }
}
