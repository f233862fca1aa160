import type { Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { createAccountTask } from '../account-task.js'
import type { OpenCommandContext } from '../command-context.js'
import { saved } from '../task.js'

export function createSessionRevoke(open: OpenCommandContext): Command.Class {
  return createAccountTask(open, {
    summary: 'End every session of an account.',
    description:
      'Prints {"errors": [], "save": 1, "ended": 2}. In force when it returns; the user can log in again with the password.',
    examples: ['<%= config.bin %> session revoke ada@example.com'],
    endsLogins: true,
    work: async ({ revokeSessions }, email) =>
      saved({ ended: await revokeSessions({ caller: OPERATOR, email }) }),
  })
}
