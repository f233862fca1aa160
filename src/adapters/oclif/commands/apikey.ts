import { Flags } from '@oclif/core'
import { creatorText, type ApiKey, type ApiKeyId } from '../../../domain/access/api-key.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { Instant } from '../../../domain/instant.js'
import { argument, type Commands, UsageError } from '../command.js'
import { eachPage, LIMIT_FLAG, list, shownInstants } from '../list.js'
import { instantAhead } from '../moments.js'
import { savedResult, savedBy, task } from '../task.js'

export const TOPICS = { apikey: 'API keys of the pet catalog' }

/** Commands that create, list and revoke API keys. */
export const COMMANDS: Commands = {
  'apikey:create': task({
    summary: 'Create an API key for the pet catalog.',
    description:
      'Prints {"errors": [], "save": 1, "id": 1, "key": "…"}. The key is shown only once, because only its digest is stored. Without --expires it is valid until it is revoked. --role also requires the permission of `user role`.',
    examples: [
      '<%= config.bin %> apikey create "Shop front"',
      '<%= config.bin %> apikey create "Import job" --role editor --expires 90d',
    ],
    args: { name: argument('purpose of the key') },
    flags: {
      role: Flags.string({ description: 'key of a role to assign to the API key', multiple: true }),
      expires: Flags.string({
        description:
          'when the key expires: 12h or 90d from now, or a date such as 2027-03-01 or 2027-03-01T12:00Z',
        helpValue: 'WHEN',
      }),
    },
    creating: 'outside-production',
    work: async ({ createApiKey, clock }, { name }, { role = [], expires }) => {
      const expiresAt = expires === undefined ? undefined : instantOf(expires, clock())
      const { id, key } = await createApiKey({ caller: OPERATOR, name, roles: role, expiresAt })
      return savedResult({ id, key })
    },
  }),
  'apikey:list': list({
    summary: 'List the API keys in order of id, including revoked and expired keys.',
    description:
      'Prints a table on a terminal; in a pipe or with --json, an array of {"id", "name", "roles", "createdBy", "createdAt", "revokedAt", "expiresAt", "lastUsedAt"}. The last use is rounded down to the hour. createdBy is account:ID, cli, or null for a key from 0.8.0 or earlier. Never prints the keys themselves.',
    examples: ['<%= config.bin %> apikey list', '<%= config.bin %> apikey list --limit 100 --after 100'],
    flags: {
      after: Flags.integer({
        description: 'continue after the key with this id (the last key in the previous list)',
        min: 1,
        helpValue: 'ID',
      }),
      ...LIMIT_FLAG,
    },
    pages: ({ listApiKeys }, { after: begin, limit: most }) =>
      eachPage<ApiKey>(
        ({ after, limit }) =>
          listApiKeys({ caller: OPERATOR, after: after?.id ?? (begin as ApiKeyId | undefined), limit }),
        most,
      ),
    row: ({ id, name, roles, createdBy, createdAt, revokedAt, expiresAt, lastUsedAt }) => ({
      ...{ id, name, roles: roles.map((role) => role.key) },
      createdBy: createdBy === undefined ? null : creatorText(createdBy),
      ...shownInstants({ createdAt, revokedAt, expiresAt, lastUsedAt }),
    }),
  }),
  'apikey:revoke': task({
    summary: 'Revoke an API key.',
    description:
      'Prints {"errors": [], "save": 1}. Takes effect immediately. The key stays in `apikey list`, with the date.',
    examples: ['<%= config.bin %> apikey revoke 1'],
    args: { id: argument('id of the key, see `apikey list`') },
    work: ({ revokeApiKey }, { id }) => savedBy(revokeApiKey({ caller: OPERATOR, id })),
  }),
}

function instantOf(expires: string, now: Instant): Instant {
  const instant = instantAhead(expires, now)
  if (instant !== undefined) return instant
  throw new UsageError('--expires must be a duration, such as 90d, or a date, such as 2027-03-01.')
}
