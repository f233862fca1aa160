import type { Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { createAccountTask } from '../account-task.js'
import type { OpenCommandContext } from '../command-context.js'
import { saved } from '../task.js'

export function createUserEnable(open: OpenCommandContext): Command.Class {
  return createAccountTask(open, {
    summary: 'Let a disabled account log in again.',
    description: 'Prints {"errors": [], "save": 1}. Earlier sessions stay ended.',
    examples: ['<%= config.bin %> user enable ada@example.com'],
    work: async ({ enableUser }, email) => {
      await enableUser({ caller: OPERATOR, email })
      return saved()
    },
  })
}
