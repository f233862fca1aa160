import { Flags, type Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { RoleKey } from '../../../domain/access/role.js'
import { LIMIT_FLAG } from '../flags.js'
import { createListCommand } from '../list.js'
import type { Row } from '../rows.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'

const FLAGS = {
  after: Flags.string({
    description: 'go on behind this key, the last of a list before',
    helpValue: 'KEY',
  }),
  ...LIMIT_FLAG,
}

export function createRoleList(open: OpenCommandContext): Command.Class {
  return createListCommand(open, {
    summary: 'List the roles of the role table, by key.',
    description:
      'A table on a terminal; in a pipe or with --json an array of {"uuid", "key", "label"}. What a role may do stands in the permission file.',
    examples: ['<%= config.bin %> role list'],
    flags: FLAGS,
    pages: rolesOf,
  })
}

async function* rolesOf(
  { listRoles }: CommandContext,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<readonly Row[]> {
  const roles = await listRoles({ caller: OPERATOR, after: after as RoleKey | undefined, limit })
  yield roles.map(({ uuid, key, label }) => ({ uuid, key, label }))
}
