import type { Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { createAccountTask } from '../account-task.js'
import type { OpenCommandContext } from '../command-context.js'
import { saved } from '../task.js'

export function createUserDelete(open: OpenCommandContext): Command.Class {
  return createAccountTask(open, {
    summary: 'Delete an account with its memberships and sessions, for good.',
    description:
      'Prints {"errors": [], "save": 1}. Projects and pets stay. `user disable` can be taken back, this cannot.',
    examples: ['<%= config.bin %> user delete ada@example.com'],
    endsLogins: true,
    work: async ({ deleteUser }, email) => {
      await deleteUser({ caller: OPERATOR, email })
      return saved()
    },
  })
}
