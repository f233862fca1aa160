import { Args, type Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { OpenCommandContext } from '../command-context.js'
import { createTask } from '../create-task.js'
import { saved } from '../task.js'

export function createApiKeyRevoke(open: OpenCommandContext): Command.Class {
  return createTask(open, {
    summary: 'Revoke an API key.',
    description:
      'Prints {"errors": [], "save": 1}. In force when it returns. The key stays in `apikey list`, with the date.',
    examples: ['<%= config.bin %> apikey revoke 1'],
    args: {
      id: Args.string({ description: 'id of the key, see `apikey list`', required: true, ignoreStdin: true }),
    },
    work: async ({ revokeApiKey }, { id }) => {
      await revokeApiKey({ caller: OPERATOR, id })
      return saved()
    },
  })
}
