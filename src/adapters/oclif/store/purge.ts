import { Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { DEBUG_FLAG } from '../flags.js'
import type { OpenCommandContext } from '../command-context.js'
import { runTask, saved } from '../task.js'

export function createStorePurge(open: OpenCommandContext): Command.Class {
  return class StorePurge extends Command {
    static override summary = 'Remove ended sessions and old idempotency keys now.'
    static override description =
      'Prints {"errors": [], "save": 1, "removed": 12}. `serve` does the same on its own every ten minutes.'
    static override examples = ['<%= config.bin %> store purge']
    static override flags = DEBUG_FLAG

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: DEBUG_FLAG })
      await runTask(this, { open, ...flags }, async ({ purgeStore }) =>
        saved({ removed: await purgeStore({ caller: OPERATOR }) }),
      )
    }
  }
}
