import type { Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { createListCommand } from '../list.js'
import { shownInstant, type Row } from '../rows.js'
import type { CommandContext, OpenCommandContext } from '../command-context.js'

export function createUserDuplicates(open: OpenCommandContext): Command.Class {
  return createListCommand(open, {
    summary: 'List the accounts that an earlier release made for one email.',
    description:
      'A table on a terminal; in a pipe or with --json an array of {"canonicalEmail", "id", "email", "roles", "createdAt", "disabledAt"}, a row on each line. Accounts with one canonicalEmail are ways to write one email. Each keeps its email until the others are deleted.',
    examples: ['<%= config.bin %> user duplicates'],
    flags: {},
    pages: duplicatesOf,
  })
}

async function* duplicatesOf({ listDuplicateUsers }: CommandContext): AsyncGenerator<readonly Row[]> {
  const users = await listDuplicateUsers({ caller: OPERATOR })
  yield users.map(({ canonicalEmail, id, email, roles, createdAt, disabledAt }) => ({
    ...{ canonicalEmail, id, email, roles },
    createdAt: shownInstant(createdAt),
    disabledAt: shownInstant(disabledAt),
  }))
}
