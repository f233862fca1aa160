import { Command, type Interfaces } from '@oclif/core'
import { createOutput, type Output } from './output.js'
import type { CommandContext, OpenCommandContext, StoreFlag } from './command-context.js'
import { isTold } from './errors.js'
import type { Row } from './rows.js'
import { inCommandContext, notSaved, type Opening } from './task.js'
import { printTable } from './table.js'
import { jsonLine, shownText } from './terminal-text.js'
import { JSON_FLAG, STORE_FLAGS } from './flags.js'

/**
 * Prints a list as it is read: one JSON array, a row on each line, or a table on a terminal.
 * Where the first page cannot be read, the document is that of a task that failed; where a later
 * one cannot, the array stays open, so that no reader takes it for the whole.
 */
export async function runList(
  command: Command,
  opening: Opening & { readonly json: boolean },
  pages: (operation: CommandContext) => AsyncIterable<readonly Row[]>,
): Promise<void> {
  const output = createOutput(process.stdout)
  const print = process.stdout.isTTY && !opening.json ? printTable : printArray
  await inCommandContext(
    command,
    opening,
    async (operation) => {
      await print(pages(operation), output)
      output.settle(command)
    },
    async (errors) => {
      if (output.isUsed()) {
        for (const error of errors) if (!isTold(error)) command.logToStderr(shownText(error.message))
      } else await output.write(`${jsonLine(notSaved(errors))}\n`)
    },
  )
}

async function printArray(pages: AsyncIterable<readonly Row[]>, output: Output): Promise<void> {
  let before = '['
  for await (const rows of pages) {
    if (rows.length === 0) continue
    if (!(await output.write(before + rows.map((row) => jsonLine(row)).join(',\n')))) return
    before = ',\n'
  }
  await output.write(output.isUsed() ? ']\n' : '[]\n')
}

const FLAGS = { ...JSON_FLAG, ...STORE_FLAGS }

type Given = Record<string, unknown>
type Common = StoreFlag & { json: boolean; debug: boolean }

/** What differs between the commands that list things of a kind. */
export type Listing<F extends Given> = {
  readonly summary: string
  readonly description: string
  readonly examples: string[]
  readonly flags: Interfaces.FlagInput<F>
  readonly pages: (operation: CommandContext, flags: F) => AsyncIterable<readonly Row[]>
}

export function createListCommand<F extends Given>(
  open: OpenCommandContext,
  listing: Listing<F>,
): Command.Class {
  const ALL_FLAGS = { ...listing.flags, ...FLAGS } as Interfaces.FlagInput<F & Common>
  return class ListCommand extends Command {
    static override summary = listing.summary
    static override description = listing.description
    static override examples = listing.examples
    static override flags = ALL_FLAGS

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: ALL_FLAGS })
      await runList(this, { open, ...flags }, (operation) => listing.pages(operation, flags))
    }
  }
}
