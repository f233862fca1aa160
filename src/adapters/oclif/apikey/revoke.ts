import { Args, Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { DEBUG_FLAG } from '../flags.js'
import type { OpenCommandContext } from '../command-context.js'
import { runTask, saved } from '../task.js'

const ARGS = {
  id: Args.string({ description: 'id of the key, see `apikey list`', required: true, ignoreStdin: true }),
}

export function createApiKeyRevoke(open: OpenCommandContext): Command.Class {
  return class ApiKeyRevoke extends Command {
    static override summary = 'Revoke an API key.'
    static override description =
      'Prints {"errors": [], "save": 1}. In force when it returns. The key stays in `apikey list`, with the date.'
    static override examples = ['<%= config.bin %> apikey revoke 1']
    static override args = ARGS
    static override flags = DEBUG_FLAG

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: DEBUG_FLAG })
      await runTask(this, { open, ...flags }, async ({ revokeApiKey }) => {
        await revokeApiKey({ caller: OPERATOR, id: args.id })
        return saved()
      })
    }
  }
}
