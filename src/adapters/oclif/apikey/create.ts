import { Args, Flags, type Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { OpenCommandContext } from '../command-context.js'
import { createTask } from '../create-task.js'
import { saved } from '../task.js'

export function createApiKeyCreate(open: OpenCommandContext): Command.Class {
  return createTask(open, {
    summary: 'Make an API key for the pet catalogue.',
    description:
      'Prints {"errors": [], "save": 1, "id": 1, "key": "…"}. The key is shown this once: only its digest is stored.',
    examples: [
      '<%= config.bin %> apikey create "Shop front"',
      '<%= config.bin %> apikey create "Import job" --role editor',
    ],
    args: { name: Args.string({ description: 'what the key is for', required: true, ignoreStdin: true }) },
    flags: { role: Flags.string({ description: 'key of a role that the key carries', multiple: true }) },
    work: async ({ createApiKey }, { name }, { role = [] }) => {
      const { id, key } = await createApiKey({ caller: OPERATOR, name, roles: role })
      return saved({ id, key })
    },
  })
}
