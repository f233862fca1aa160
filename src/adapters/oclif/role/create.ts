import { Args, type Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { OpenCommandContext } from '../command-context.js'
import { createTask } from '../create-task.js'
import { saved } from '../task.js'

export function createRoleCreate(open: OpenCommandContext): Command.Class {
  return createTask(open, {
    summary: 'Add a role to the role table.',
    description:
      'What a role may do stands in the permission file; a role that it does not name permits nothing.',
    examples: ['<%= config.bin %> role create project-editor "Project editor"'],
    args: {
      key: Args.string({ description: 'key of the role', required: true, ignoreStdin: true }),
      label: Args.string({ description: 'name for people', required: true, ignoreStdin: true }),
    },
    creating: 'outside-production',
    work: async ({ createRole }, { key, label }) => {
      await createRole({ caller: OPERATOR, key, label })
      return saved()
    },
  })
}
