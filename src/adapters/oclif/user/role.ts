import { Args, Flags, type Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { EMAIL_ARG } from '../account-task.js'
import type { OpenCommandContext } from '../command-context.js'
import { createTask } from '../create-task.js'
import { saved } from '../task.js'

const FLAGS = { remove: Flags.boolean({ description: 'take the role away' }) }

export function createUserRole(open: OpenCommandContext): Command.Class {
  return createTask(open, {
    summary: 'Give a role to an account, or take it away.',
    description: 'The role must be in the role table; see `role create`.',
    examples: [
      '<%= config.bin %> user role ada@example.com editor',
      '<%= config.bin %> user role ada@example.com editor --remove',
    ],
    args: {
      email: EMAIL_ARG,
      role: Args.string({ description: 'key of the role', required: true, ignoreStdin: true }),
    },
    flags: FLAGS,
    work: async ({ assignRole }, { email, role }, { remove }) => {
      await assignRole({ caller: OPERATOR, email, role, remove })
      return saved()
    },
  })
}
