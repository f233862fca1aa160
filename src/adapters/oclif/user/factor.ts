import { Flags, type Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { Refusal } from '../../../domain/refusal.js'
import { EMAIL_ARG } from '../account-task.js'
import type { OpenCommandContext } from '../command-context.js'
import { createTask } from '../create-task.js'
import { shownInstant } from '../rows.js'
import { saved } from '../task.js'

export function createUserFactor(open: OpenCommandContext): Command.Class {
  return createTask(open, {
    summary: 'Show whether an account has a second factor, or remove it.',
    description:
      'Prints {"active": true, "since": "…", "recoveryCodesLeft": 9, "required": false}; with --remove {"errors": [], "save": 1}, and exit status 1 if it has none. Be sure who asks: without it the password alone logs in.',
    examples: [
      '<%= config.bin %> user factor ada@example.com',
      '<%= config.bin %> user factor ada@example.com --remove',
    ],
    args: { email: EMAIL_ARG },
    flags: { remove: Flags.boolean({ description: 'remove it, for someone who has lost it' }) },
    work: async ({ readUserFactor, removeUserFactor }, { email }, { remove }) => {
      const asked = { caller: OPERATOR, email }
      if (remove) {
        if ((await removeUserFactor(asked)) === 'unchanged') throw noFactor()
        return saved()
      }
      const { since, ...status } = await readUserFactor(asked)
      return { ...status, since: shownInstant(since) }
    },
  })
}

function noFactor(): Refusal {
  return new Refusal('not-found', [
    { field: 'email', type: 'NotFound', message: 'The account has no second factor.' },
  ])
}
