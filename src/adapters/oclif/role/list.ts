import type { Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { createListCommand } from '../list.js'
import type { Row } from '../rows.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'

export function createRoleList(open: OpenCommandContext): Command.Class {
  return createListCommand(open, {
    summary: 'List the roles of the role table, by key.',
    description:
      'A table on a terminal; in a pipe or with --json an array of {"uuid", "key", "label"}. What a role may do stands in the permission file.',
    examples: ['<%= config.bin %> role list'],
    pages: rolesOf,
  })
}

async function* rolesOf({ listRoles }: CommandContext): AsyncGenerator<readonly Row[]> {
  const roles = await listRoles({ caller: OPERATOR })
  yield roles.map(({ uuid, key, label }) => ({ uuid, key, label }))
}
