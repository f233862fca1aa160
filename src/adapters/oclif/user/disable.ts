import type { Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { createAccountTask } from '../account-task.js'
import type { OpenCommandContext } from '../command-context.js'
import { saved } from '../task.js'

export function createUserDisable(open: OpenCommandContext): Command.Class {
  return createAccountTask(open, {
    summary: 'Disable an account and end its sessions at once.',
    description: 'Prints {"errors": [], "save": 1}. The account cannot log in until `user enable`.',
    examples: ['<%= config.bin %> user disable ada@example.com'],
    endsLogins: true,
    work: async ({ disableUser }, email) => {
      await disableUser({ caller: OPERATOR, email })
      return saved()
    },
  })
}
