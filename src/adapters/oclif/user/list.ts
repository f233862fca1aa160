import type { Command } from '@oclif/core'
import type { UserSummary } from '../../../application/accounts/list-users.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { createListCommand } from '../list-command.js'
import { eachPage, shownInstant, type Row } from '../rows.js'
import type { OpenOperation, Operation } from '../operation.js'

export function createUserList(open: OpenOperation): Command.Class {
  return createListCommand(open, {
    summary: 'List the accounts, by id.',
    description:
      'A table on a terminal; in a pipe or with --json an array of {"id", "email", "roles", "createdAt", "disabledAt"}, a row on each line. No hashes.',
    examples: ['<%= config.bin %> user list', '<%= config.bin %> user list --json'],
    pages: usersOf,
  })
}

async function* usersOf({ listUsers }: Operation): AsyncGenerator<readonly Row[]> {
  const pages = eachPage<UserSummary>(
    async ({ after, limit }) => await listUsers({ caller: OPERATOR, after: after?.id, limit }),
  )
  for await (const page of pages) yield page.map(rowOf)
}

function rowOf({ id, email, roles, createdAt, disabledAt }: UserSummary): Row {
  return {
    id,
    email,
    roles,
    createdAt: shownInstant(createdAt),
    disabledAt: shownInstant(disabledAt),
  }
}
