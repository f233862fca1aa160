import type { Command } from '@oclif/core'
import type { UserDetails } from '../../../application/accounts/get-user.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { createAccountTask } from '../account-task.js'
import type { OpenCommandContext } from '../command-context.js'
import { shownInstant } from '../rows.js'

export function createUserShow(open: OpenCommandContext): Command.Class {
  return createAccountTask(open, {
    summary: 'Show one account: roles, sessions, second factor, last login.',
    description:
      'Prints {"id", "email", "roles", "createdAt", "disabledAt", "sessions": {"active", "more"}, "secondFactor", "lastLoginAt"}. Of sessions a hundred at most are counted; "more" says whether there are others. No hashes, no keys.',
    examples: ['<%= config.bin %> user show ada@example.com'],
    work: async ({ getUser }, email) => shown(await getUser({ caller: OPERATOR, email })),
  })
}

function shown({ createdAt, disabledAt, lastLoginAt, ...user }: UserDetails): object {
  const { id, email, roles, sessions, secondFactor } = user
  return {
    ...{ id, email, roles, createdAt: shownInstant(createdAt), disabledAt: shownInstant(disabledAt) },
    ...{ sessions, secondFactor, lastLoginAt: shownInstant(lastLoginAt) },
  }
}
