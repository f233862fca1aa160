import { Args, Command, Flags } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { DEBUG_FLAG } from '../flags.js'
import type { OpenCommandContext } from '../command-context.js'
import { runTask, saved } from '../task.js'

const ARGS = {
  name: Args.string({ description: 'what the key is for', required: true, ignoreStdin: true }),
}
const FLAGS = {
  role: Flags.string({ description: 'key of a role that the key carries', multiple: true }),
  ...DEBUG_FLAG,
}

export function createApiKeyCreate(open: OpenCommandContext): Command.Class {
  return class ApiKeyCreate extends Command {
    static override summary = 'Make an API key for the pet catalogue.'
    static override description =
      'Prints {"errors": [], "save": 1, "id": 1, "key": "…"}. The key is shown this once: only its digest is stored.'
    static override examples = [
      '<%= config.bin %> apikey create "Shop front"',
      '<%= config.bin %> apikey create "Import job" --role editor',
    ]
    static override args = ARGS
    static override flags = FLAGS

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: FLAGS })
      await runTask(this, { open, ...flags }, async ({ createApiKey }) => {
        const { id, key } = await createApiKey({ caller: OPERATOR, name: args.name, roles: flags.role ?? [] })
        return saved({ id, key })
      })
    }
  }
}
