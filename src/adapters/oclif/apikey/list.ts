import type { Command } from '@oclif/core'
import type { ApiKey } from '../../../domain/access/api-key.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { createListCommand } from '../list.js'
import { shownInstant, type Row } from '../rows.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'

export function createApiKeyList(open: OpenCommandContext): Command.Class {
  return createListCommand(open, {
    summary: 'List the API keys, revoked ones too, by id.',
    description:
      'A table on a terminal; in a pipe or with --json an array of {"id", "name", "roles", "createdAt", "revokedAt"}. Never the keys themselves.',
    examples: ['<%= config.bin %> apikey list'],
    pages: keysOf,
  })
}

async function* keysOf({ listApiKeys }: CommandContext): AsyncGenerator<readonly Row[]> {
  yield (await listApiKeys({ caller: OPERATOR })).map(rowOf)
}

function rowOf({ id, name, roles, createdAt, revokedAt }: ApiKey): Row {
  return {
    id,
    name,
    roles: roles.map((role) => role.key),
    createdAt: shownInstant(createdAt),
    revokedAt: shownInstant(revokedAt),
  }
}
