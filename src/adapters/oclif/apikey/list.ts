import { Flags, type Command } from '@oclif/core'
import type { ApiKey, ApiKeyId } from '../../../domain/access/api-key.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { LIMIT_FLAG } from '../flags.js'
import { createListCommand } from '../list.js'
import { eachPage, shownInstant, type Row } from '../rows.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'

const FLAGS = {
  after: Flags.integer({
    description: 'go on behind the key of this id, the last of a list before',
    min: 1,
    helpValue: 'ID',
  }),
  ...LIMIT_FLAG,
}

export function createApiKeyList(open: OpenCommandContext): Command.Class {
  return createListCommand(open, {
    summary: 'List the API keys, those that were revoked or have expired too, by id.',
    description:
      'A table on a terminal; in a pipe or with --json an array of {"id", "name", "roles", "createdAt", "revokedAt", "expiresAt", "lastUsedAt"}. The last use is kept to the hour. Never the keys themselves.',
    examples: ['<%= config.bin %> apikey list', '<%= config.bin %> apikey list --limit 100 --after 100'],
    flags: FLAGS,
    pages: keysOf,
  })
}

async function* keysOf(
  { listApiKeys }: CommandContext,
  { after: begin, limit: most }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<readonly Row[]> {
  const pages = eachPage<ApiKey>(
    async ({ after, limit }) =>
      await listApiKeys({ caller: OPERATOR, after: after?.id ?? (begin as ApiKeyId | undefined), limit }),
    most,
  )
  for await (const page of pages) yield page.map(rowOf)
}

function rowOf({ id, name, roles, createdAt, revokedAt, expiresAt, lastUsedAt }: ApiKey): Row {
  return {
    id,
    name,
    roles: roles.map((role) => role.key),
    createdAt: shownInstant(createdAt),
    revokedAt: shownInstant(revokedAt),
    expiresAt: shownInstant(expiresAt),
    lastUsedAt: shownInstant(lastUsedAt),
  }
}
