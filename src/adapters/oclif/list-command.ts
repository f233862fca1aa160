import { Command } from '@oclif/core'
import { DEBUG_FLAG, JSON_FLAG } from './flags.js'
import { runList } from './list.js'
import type { Row } from './rows.js'
import type { OpenCommandContext, CommandContext } from './command-context.js'

const FLAGS = { ...JSON_FLAG, ...DEBUG_FLAG }

/** What differs between the commands that list everything of a kind. */
export type Listing = {
  readonly summary: string
  readonly description: string
  readonly examples: string[]
  readonly pages: (operation: CommandContext) => AsyncIterable<readonly Row[]>
}

export function createListCommand(open: OpenCommandContext, listing: Listing): Command.Class {
  return class ListCommand extends Command {
    static override summary = listing.summary
    static override description = listing.description
    static override examples = listing.examples
    static override flags = FLAGS

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: FLAGS })
      await runList(this, { open, ...flags }, listing.pages)
    }
  }
}
